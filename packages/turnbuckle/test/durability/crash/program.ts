import { startPostgres } from '../../postgres.ts'
import { bundleChild, Crasher, type StoreKind } from './harness.ts'
import type { Death } from './play.ts'
import { scenarioNames } from './scenario-names.ts'

interface Options {
  readonly seed?: string
  readonly random?: string
  readonly only?: string
  readonly store?: string
}

interface Attempt {
  readonly scenario: string
  readonly kind: StoreKind
  readonly deaths: readonly Death[]
}

/** Kills at every boundary, then at random; true when everything held. */
export async function runAll(
  here: string,
  { seed = String(Date.now() % 1e9), random = '3000', only, store }: Options,
): Promise<boolean> {
  const postgres = await startPostgres()
  const child = await bundleChild(here)
  const crashers = [1, 2].map(() => new Crasher(child, () => postgres.schema('crash')))
  const kinds = (['sqlite', 'postgres'] as const).filter(kind => !store || kind === store)
  const names = scenarioNames.filter(name => !only || name === only)
  console.log(`seed ${seed} (repeat with: npm run test:crash -- --seed ${seed})`)
  const todo: Attempt[] = []
  for (const kind of kinds)
    for (const scenario of names)
      for (const death of (await crashers[0]?.deaths(scenario, kind)) ?? [])
        todo.push({ scenario, kind, deaths: [death] })
  todo.push(...randomAttempts(Number(seed), Number(random), names, kinds))
  const failures: string[] = []
  let done = 0
  const work = async (crasher: Crasher) => {
    for (let next = todo.shift(); next; next = todo.shift()) {
      const { scenario, kind, deaths } = next
      const problems = await crasher.crash(scenario, kind, deaths).catch(error => [String(error)])
      if (problems.length)
        failures.push(`${kind}, ${scenario}, ${JSON.stringify(deaths)}:\n  ${problems.slice(0, 4).join('\n  ')}`)
      if (problems.length) console.log(failures.at(-1))
      if (++done % 100 === 0) console.log(`${done} done, ${todo.length} to go, ${failures.length} failed`)
    }
  }
  await Promise.all(crashers.map(work))
  const kills = crashers.reduce((sum, crasher) => sum + crasher.kills, 0)
  for (const crasher of crashers) crasher.close()
  await postgres.stop()
  console.log(`${kills} kills in ${done} runs, ${failures.length} failed (seed ${seed})`)
  return !failures.length
}

/** The same for the same seed (mulberry32). */
function* numbers(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    yield ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

function randomAttempts(seed: number, count: number, names: readonly string[], kinds: readonly StoreKind[]): Attempt[] {
  const stream = numbers(seed)
  const below = (limit: number) => Math.floor(stream.next().value * limit)
  return Array.from({ length: count }, () => ({
    scenario: names[below(names.length)] as string,
    kind: kinds[below(kinds.length)] as StoreKind,
    deaths: Array.from(
      { length: 1 + below(3) },
      (): Death =>
        below(2) ? { at: 'time', k: below(60), phase: 'before' } : { at: 'commit', k: 1 + below(12), phase: 'after' },
    ),
  }))
}
