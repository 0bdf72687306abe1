import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../postgres.ts'
import { bundleMortal, groupDeaths, killInGroup } from '../group-kills.ts'
import { type Attempt, attemptOf, nameOf, randomAttempts } from './attempt.ts'
import { bundleChild, Crasher } from './harness.ts'
import { middlewareNames, scenarioNames } from './scenario-names.ts'

/** Group commits of a process, each of which is killed at every death. */
const groupKills = 40

interface Options {
  readonly seed?: string
  readonly random?: string
  readonly only?: string
  readonly store?: string
  readonly repeat?: string
}

/** Kills at every boundary, then at random; true when everything held. */
export async function runAll(here: string, options: Options): Promise<boolean> {
  const postgres = await startPostgres()
  const child = await bundleChild(here)
  const crashers = [1, 2].map(() => new Crasher(child, () => postgres.schema('crash')))
  try {
    const held =
      options.repeat || options.only || options.store === 'postgres' || (await runGroupKills(join(here, '..')))
    const todo = options.repeat ? [attemptOf(options.repeat)] : await everything(crashers[0] as Crasher, options)
    return (await runAttempts(crashers, todo)) && Boolean(held)
  } finally {
    for (const crasher of crashers) crasher.close()
    await postgres.stop()
  }
}

/** Kills inside group commits of conversations that talk at the same time, each process going on with what the last has left. */
async function runGroupKills(durability: string): Promise<boolean> {
  const program = await bundleMortal(durability)
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-group-'))
  let failed = 0
  for (let group = 1; group <= groupKills; group++)
    for (const death of groupDeaths)
      await killInGroup(program, join(folder, `${group % 4}.db`), death, group).catch(error => {
        failed++
        console.log(`A kill at ${death} of group ${group} failed: ${error}`)
      })
  rmSync(folder, { recursive: true, force: true })
  console.log(`${groupKills * groupDeaths.length} kills inside group commits, ${failed} failed`)
  return failed === 0
}

async function everything(crasher: Crasher, options: Options): Promise<Attempt[]> {
  const { seed = String(Date.now() % 1e9), random = '3000', only, store } = options
  const kinds = (['sqlite', 'postgres'] as const).filter(kind => !store || kind === store)
  const names = [...scenarioNames, ...middlewareNames].filter(name => !only || name.includes(only))
  const todo: Attempt[] = []
  for (const kind of kinds)
    for (const scenario of names)
      for (const death of await crasher.deaths(scenario, kind)) todo.push({ scenario, kind, deaths: [death] })
  console.log(`${todo.length} boundaries, then ${random} random runs of seed ${seed} (--seed ${seed} repeats them)`)
  return [...todo, ...randomAttempts(Number(seed), Number(random), names, kinds)]
}

async function runAttempts(crashers: readonly Crasher[], attempts: readonly Attempt[]): Promise<boolean> {
  const todo = [...attempts]
  let failed = 0
  const kills = () => crashers.reduce((sum, crasher) => sum + crasher.kills, 0)
  const progress = progressLine(attempts.length)
  const work = async (crasher: Crasher) => {
    for (let next = todo.shift(); next; next = todo.shift()) {
      const problems = await crasher.crash(next.scenario, next.kind, next.deaths).catch(error => [String(error)])
      if (problems.length) {
        failed++
        console.log(`\n${nameOf(next)} failed; repeat it with: npm run test:crash -- --repeat '${nameOf(next)}'`)
        for (const problem of problems.slice(0, 4)) console.log(`  ${problem}`)
      }
      progress(kills(), failed)
    }
  }
  await Promise.all(crashers.map(work))
  console.log(`\n${kills()} kills in ${attempts.length} runs, ${failed} failed`)
  return failed === 0
}

/** On a terminal one line that changes; elsewhere a line now and then. */
function progressLine(total: number): (kills: number, failed: number) => void {
  let done = 0
  return (kills, failed) => {
    done++
    const line = `${done} of ${total} runs, ${kills} kills, ${failed} failed`
    if (process.stdout.isTTY) process.stdout.write(`\r${line} `)
    else if (done % 100 === 0) console.log(line)
  }
}
