import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { anyProgram } from './any-program.ts'
import { Comparison, type Difference } from './comparison.ts'
import { features, featuresOf } from './coverage.ts'
import { explainDifference } from './explain-difference.ts'
import { KnownOutcomes } from './known-outcomes.ts'
import type { Library } from './library.ts'
import { namedPrograms } from './named-programs.ts'
import { Places } from './places.ts'
import type { Kind, Program } from './program.ts'
import { shrink } from './shrink.ts'

/** A worker's job: every `step`-th seed from `from` to `last`. */
export interface Job {
  readonly before: string
  readonly now: string
  readonly folder: string
  /** The folder of outcomes that are known. */
  readonly known: string
  readonly from: number
  readonly last: number
  readonly step: number
  readonly only: Kind | undefined
  /** The number of differences that are made smaller and told in full. */
  readonly most: number
  /** Also has the small programs of all named differences played. */
  readonly checksNames: boolean
}

/** News of a worker: the seed it is at, and the differences it has found. */
export type Report =
  | { readonly type: 'progress'; readonly seed: number; readonly played: number }
  /** The small program of a named difference does not show it, or shows another one. */
  | { readonly type: 'stale'; readonly name: string; readonly shows: readonly string[] | undefined }
  | { readonly type: 'named'; readonly names: readonly string[] }
  | { readonly type: 'difference'; readonly seed: number; readonly difference: Difference | undefined }
  /** The number of programs that had each feature. */
  | { readonly type: 'done'; readonly played: number; readonly had: Readonly<Record<string, number>> }

const load = async (dist: string): Promise<Library> => ({
  root: await import(pathToFileURL(join(dist, 'index.js')).href),
  stores: await import(pathToFileURL(join(dist, 'stores.js')).href),
  ready: await import(pathToFileURL(join(dist, 'middleware.js')).href),
})

/** Each hundred seeds are shared out among the kinds like this. */
const shares: readonly (readonly [Kind, number])[] = [
  ['core', 62],
  ['managed', 10],
  ['stored', 12],
  ['crashed', 15],
  ['across', 1],
]
export function kindOf(seed: number): Kind {
  let left = (seed * 37) % 100
  for (const [kind, share] of shares) {
    if (left < share) return kind
    left -= share
  }
  return 'core'
}

/** Plays the programs of a job, and reports what differs. */
class Shift {
  readonly #job: Job
  readonly #comparison: Comparison
  readonly #report: (report: Report) => void
  readonly #known: KnownOutcomes
  readonly #had: Record<string, number> = Object.fromEntries(features.map(feature => [feature, 0]))
  #told = 0

  constructor(job: Job, comparison: Comparison, report: (report: Report) => void) {
    this.#job = job
    this.#comparison = comparison
    this.#report = report
    this.#known = new KnownOutcomes(job.known)
  }

  async work(): Promise<void> {
    const { from, last, step, checksNames } = this.#job
    if (checksNames) await this.#checkNames()
    let played = 0
    for (let seed = from; seed <= last; seed += step) {
      this.#report({ type: 'progress', seed, played })
      if (played % 500 === 0) this.#known.save()
      await this.#play(seed)
      played++
    }
    this.#known.save()
    this.#report({ type: 'done', played, had: this.#had })
  }

  async #checkNames(): Promise<void> {
    for (const [name, { program }] of Object.entries(namedPrograms)) {
      const difference = await this.#comparison.differ(program)
      const shows = difference ? await this.#namesOf(difference) : []
      if (shows?.length !== 1 || shows[0] !== name) this.#report({ type: 'stale', name, shows })
    }
  }
  async #play(seed: number): Promise<void> {
    const program = anyProgram(seed, this.#job.only ?? kindOf(seed))
    const { now, difference } = await this.#comparison.differGenerated(program, this.#known)
    for (const feature of featuresOf(program, now))
      if (feature in this.#had) this.#had[feature] = (this.#had[feature] ?? 0) + 1
    if (difference) await this.#tell(seed, difference)
  }
  async #tell(seed: number, difference: Difference): Promise<void> {
    const names = await this.#namesOf(difference)
    if (names) return this.#report({ type: 'named', names })
    const isTold = this.#told++ < this.#job.most
    const unnamed = async (program: Program) => {
      const found = await this.#comparison.differ(program)
      return found && !(await this.#namesOf(found)) ? found : undefined
    }
    this.#report({
      type: 'difference',
      seed,
      difference: isTold ? withoutLines(await shrink(difference, unnamed)) : undefined,
    })
  }
  #namesOf(difference: Difference): Promise<string[] | undefined> {
    return explainDifference(difference, program => this.#comparison.differ(program))
  }
}

async function work(job: Job, report: (report: Report) => void): Promise<void> {
  const comparison = new Comparison(await load(job.before), await load(job.now), new Places(job.folder))
  await new Shift(job, comparison, report).work()
}

/** A difference to tell: its lines are many. */
const withoutLines = (difference: Difference): Difference => ({ ...difference, lines: { before: [], now: [] } })

process.on('message', (job: Job) => {
  work(job, report => process.send?.(report)).then(
    () => process.disconnect(),
    error => {
      console.error(error)
      process.exit(1)
    },
  )
})
