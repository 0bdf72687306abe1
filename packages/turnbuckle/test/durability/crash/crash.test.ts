import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../postgres.ts'
import { attemptOf, nameOf } from './attempt.ts'
import { bundleChild, Crasher } from './harness.ts'
import type { Death, StoreKind } from './play.ts'
import { middlewareNames, scenarioNames } from './scenario-names.ts'

// A sample; `npm run test:crash` kills at every boundary and at thousands of random moments.
let postgres: TestPostgres
let crashers: readonly Crasher[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  const child = await bundleChild(fileURLToPath(new URL('.', import.meta.url)))
  crashers = [1, 2].map(() => new Crasher(child, () => postgres.schema('crash')))
})
afterAll(async () => {
  for (const crasher of crashers) crasher.close()
  await postgres.stop()
})

/** Spread evenly over the scenario. */
const sample = (deaths: readonly Death[], count: number): readonly Death[] =>
  deaths.filter((_, i) => Math.floor((i * count) / deaths.length) !== Math.floor(((i - 1) * count) / deaths.length))

/** Has at most so many processes killed, and says what was wrong afterwards. */
async function killed(scenario: string, kind: StoreKind, most: number): Promise<string[]> {
  const [first] = crashers
  const all = (await first?.deaths(scenario, kind)) ?? []
  const todo = [...sample(all, Math.min(most, all.length))]
  const wrong: string[] = []
  const work = async (crasher: Crasher) => {
    for (let death = todo.shift(); death; death = todo.shift())
      for (const problem of await crasher.crash(scenario, kind, [death]))
        wrong.push(`${nameOf({ scenario, kind, deaths: [death] })}: ${problem}`)
  }
  await Promise.all(crashers.map(work))
  return wrong
}

for (const scenario of scenarioNames) {
  test(`${scenario}: killed anywhere, resumed by another process, nothing is lost or done twice (SQLite)`, async () => {
    expect(await killed(scenario, 'sqlite', 7)).toEqual([])
  }, 600_000)
  test(`${scenario}: the same on PostgreSQL`, async () => {
    expect(await killed(scenario, 'postgres', 2)).toEqual([])
  }, 600_000)
}

for (const scenario of middlewareNames)
  test(`${scenario}: killed anywhere, it ends as if nothing had happened, with the same spent`, async () => {
    expect([...(await killed(scenario, 'sqlite', 3)), ...(await killed(scenario, 'postgres', 1))]).toEqual([])
  }, 600_000)

// Found at random, each by several deaths in a row.
const found = [
  // The second process was told that it did not happen, the third ran it and died: the old answer says nothing of that.
  {
    fact: 'a call that began twice is asked about twice',
    run: 'parallel tools/commit.4.after+commit.3.after+commit.3.after',
  },
  // The second process had asked the model again, the third has its answer only.
  { fact: 'a cost that was lost with a process stays unknown', run: 'middleware: retry/commit.7.after+commit.2.after' },
]
for (const { fact, run } of found)
  test.each(['sqlite', 'postgres'] as const)(`${fact} (%s)`, async kind => {
    const { scenario, deaths } = attemptOf(`${kind}/${run}`)
    expect(await crashers[0]?.crash(scenario, kind, deaths)).toEqual([])
  })

test('that were at least 150 kills', () => {
  expect(crashers.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThanOrEqual(150)
})
