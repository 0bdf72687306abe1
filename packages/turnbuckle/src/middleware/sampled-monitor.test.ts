import { createAgent, middleware, stop } from 'turnbuckle'
import { scriptedModel, sequentialIds, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type Sample, type SampledMonitorOptions, sampledMonitor } from './sampled-monitor.ts'

async function run(turns: number, look: (sample: Sample) => unknown, options: SampledMonitorOptions) {
  const model = scriptedModel(['done'], { repeat: true })
  const agent = createAgent({ model, ids: sequentialIds(), use: [sampledMonitor(look, options)] })
  const statuses = []
  for (let i = 0; i < turns; i++) statuses.push((await agent.send(`hi ${i}`)).status)
  return statuses
}

describe('sampledMonitor', () => {
  test.each([
    { rate: 0, least: 0, most: 0 },
    { rate: 0.1, least: 10, most: 35 },
    { rate: 0.5, least: 80, most: 120 },
    { rate: 1, least: 200, most: 200 },
  ])('looks at a share of $rate of the turns', async ({ rate, least, most }) => {
    let looks = 0
    await run(200, () => looks++, { rate })
    expect(looks).toBeGreaterThanOrEqual(least)
    expect(looks).toBeLessThanOrEqual(most)
  })

  test('the same turns in a replay', async () => {
    const seen: string[][] = [[], []]
    for (const list of seen) await run(50, ({ turnId }) => list.push(turnId), { rate: 0.3 })
    expect(seen[0]).toEqual(seen[1])
    expect(seen[0]?.length).toBeGreaterThan(0)
  })

  test('a sample is the finished turn', async () => {
    const samples: Sample[] = []
    await run(1, sample => samples.push(sample), { rate: 1 })
    expect(samples).toMatchObject([
      { turnId: 'turn_1', conversationId: 'conv_1', result: { status: 'completed', text: 'done' } },
    ])
  })

  test('a turn that was refused before it began is a sample too', async () => {
    const samples: Sample[] = []
    const refuse = middleware({ name: 'refuse', beforeTurn: () => stop('closed') })
    const monitor = sampledMonitor(sample => samples.push(sample), { rate: 1 })
    await createAgent({ model: scriptedModel([]), use: [refuse, monitor] }).send('hi')
    await null
    expect(samples).toMatchObject([{ result: { status: 'stopped', by: 'refuse' } }])
  })

  test('a look that never ends holds up nobody, and no more than so many begin', async () => {
    let looks = 0
    const never = () => new Promise(() => looks++)
    expect(await run(10, never, { rate: 1, parallel: 3 })).toEqual(Array(10).fill('completed'))
    expect(looks).toBe(3)
  })

  test.each([
    {
      name: 'throws',
      look: () => {
        throw new Error('bad')
      },
    },
    { name: 'rejects', look: () => Promise.reject(new Error('bad')) },
  ])('a look that $name is told, and harms nobody', async ({ look }) => {
    const errors: unknown[] = []
    expect(await run(2, look, { rate: 1, onError: error => errors.push(error) })).toEqual(['completed', 'completed'])
    await null
    expect(errors.map(String)).toEqual(['Error: bad', 'Error: bad'])
  })

  test('what a look returns is kept in the store, for a while', async () => {
    const kept: unknown[][] = []
    const set = (...given: unknown[]) => kept.push(given)
    const clock = virtualClock()
    const options = { rate: 1, store: { get: () => undefined, set }, keepMs: 1000 }
    const monitor = sampledMonitor(({ result }) => ({ length: result.text.length }), options)
    const silent = sampledMonitor(() => undefined, { ...options, name: 'silent' })
    const agent = createAgent({ model: scriptedModel(['done']), ids: sequentialIds(), clock, use: [monitor, silent] })
    await agent.send('hi')
    await new Promise(setImmediate)
    const at = clock.now()
    const look = { conversationId: 'conv_1', turnId: 'turn_1', at, value: { length: 4 } }
    expect(kept).toEqual([['sampled-monitor', 'conv_1 turn_1', look, at + 1000]])
  })
})
