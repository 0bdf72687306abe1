import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProgram } from '../../bundle-program.ts'
import { checkRun } from './check.ts'
import { FreshProcesses } from './fresh-processes.ts'
import type { Death, Job, Played, StoreKind } from './play.ts'

/** The address of an empty PostgreSQL schema. */
export type Schema = () => Promise<string>

/** `here`: the folder of this file, which a bundle of it does not know. */
export const bundleChild = (here: string): Promise<string> => bundleProgram(join(here, 'child.ts'), 'crash-child')

/** Kills processes and has others go on, each in a process of its own. One job at a time. */
export class Crasher {
  readonly #processes: FreshProcesses
  readonly #schema: Schema
  readonly #folder = mkdtempSync(join(tmpdir(), 'turnbuckle-crash-'))
  readonly #undisturbed = new Map<string, Played>()
  #count = 0
  kills = 0

  constructor(child: string, schema: Schema) {
    this.#processes = new FreshProcesses(child)
    this.#schema = schema
  }

  async #job(scenario: string, kind: StoreKind): Promise<Job> {
    const folder = join(this.#folder, String(++this.#count))
    mkdirSync(folder)
    return { scenario, folder, store: kind === 'sqlite' ? { kind } : { kind, url: await this.#schema() } }
  }

  /** How it goes when nothing happens. */
  async undisturbed(scenario: string, kind: StoreKind): Promise<Played> {
    const key = `${kind} ${scenario}`
    const known = this.#undisturbed.get(key)
    if (known) return known
    const job = await this.#job(scenario, kind)
    const played = await this.#goOn(job)
    const problems = checkRun(played, played, evidence(job))
    if (problems.length) throw new Error(`${scenario} without a crash: ${problems.join('; ')}`)
    this.#undisturbed.set(key, played)
    return played
  }

  /** Every place where the scenario's process can die. */
  async deaths(scenario: string, kind: StoreKind): Promise<Death[]> {
    const { commits, effects } = await this.undisturbed(scenario, kind)
    const places = (at: Death['at'], count: number, phases: readonly Death['phase'][]) =>
      Array.from({ length: count }, (_, i) => phases.map(phase => ({ at, k: i + 1, phase }))).flat()
    return [
      ...places('commit', commits, ['before', 'after', 'told']),
      ...places('effect', effects, ['before', 'after']),
    ]
  }

  /** One process after another dies; the next goes on; the last one plays to the end. Returns what is wrong then. */
  async crash(scenario: string, kind: StoreKind, deaths: readonly Death[]): Promise<string[]> {
    const expected = await this.undisturbed(scenario, kind)
    const job = await this.#job(scenario, kind)
    for (const death of deaths) if (!(await this.#processes.run({ ...job, death }))) this.kills++
    const played = await this.#goOn(job)
    const problems = checkRun(played, expected, evidence(job))
    if (!problems.length) rmSync(job.folder, { recursive: true, force: true })
    return problems
  }

  /** In a process that has done nothing else. */
  async #goOn(job: Job): Promise<Played> {
    const played = await this.#processes.run(job)
    if (!played) throw new Error(`Somebody killed ${JSON.stringify(job)}`)
    return played
  }

  close(): void {
    this.#processes.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const lines = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []

/** What the dead have left behind besides the log. A line that was cut off in the middle was not told. */
const evidence = ({ folder }: Job) => ({
  witness: lines(join(folder, 'witness')),
  invalid: lines(join(folder, 'invalid')),
  acks: lines(join(folder, 'acks')),
})
