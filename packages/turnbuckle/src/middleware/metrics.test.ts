import { createAgent, middleware, type Span, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { createMetrics, metrics } from './metrics.ts'

const span = (durationMs: number, more: Partial<Span> = {}): Span => ({
  id: 0,
  kind: 'stage',
  stage: 'tool',
  turnId: 't',
  step: 0,
  depth: 1,
  startedAt: 0,
  durationMs,
  ...more,
})
const hundred = Array.from({ length: 100 }, (_, i) => span(i + 1))

describe('createMetrics', () => {
  test.each([
    { name: 'one', spans: [span(5)], is: { count: 1, failures: 0, totalMs: 5, p50: 5, p99: 5 } },
    { name: 'a hundred', spans: hundred, is: { count: 100, totalMs: 5050, p50: 50, p99: 99 } },
    {
      name: 'failures',
      spans: [span(1, { status: 'failed' }), span(1, { error: 'x' }), span(1)],
      is: { count: 3, failures: 2 },
    },
    {
      name: 'the newest count for p50 and p99',
      window: 10,
      spans: hundred,
      is: { count: 100, totalMs: 5050, p50: 95, p99: 100 },
    },
  ])('$name', ({ spans, is, window }) => {
    const meter = createMetrics(window ? { window } : {})
    for (const each of spans) meter.record(each)
    expect(meter.read()).toMatchObject([{ kind: 'stage', name: 'tool', ...is }])
    meter.reset()
    expect(meter.read()).toEqual([])
  })
})

describe('metrics', () => {
  test('each stage and each hook has its row, the costliest first', async () => {
    const clock = virtualClock()
    const meter = createMetrics()
    const slow = tool({ name: 'slow', run: () => new Promise<string>(done => clock.after(40, () => done('x'))) })
    const fails = middleware({ name: 'fails', afterTool: () => Promise.reject(new Error('no')) })
    const model = scriptedModel([{ calls: [{ name: 'slow' }] }, { text: 'done', delayMs: 20 }], { clock })
    const turn = createAgent({ model, clock, tools: [slow], use: [fails, metrics(meter)] }).send('hi')
    await clock.advance(100)
    await turn
    const rows = meter.read()
    expect(rows[0]?.totalMs).toBe(60)
    expect(rows.find(({ name }) => name === 'turn')).toMatchObject({ kind: 'stage', count: 1, totalMs: 60 })
    expect(rows.find(({ name }) => name === 'model')).toMatchObject({ kind: 'stage', count: 2, totalMs: 20, p99: 20 })
    expect(rows.find(({ name }) => name === 'tool')).toMatchObject({ kind: 'stage', count: 1, p50: 40 })
    expect(rows.find(({ name }) => name === 'afterTool')).toMatchObject({
      kind: 'hook',
      by: 'fails',
      count: 1,
      failures: 1,
    })
  })
})

test('a turn that a person stops counts no failure, of a stage or of a hook around it', async () => {
  const clock = virtualClock()
  const meter = createMetrics()
  const around = middleware({ name: 'around', wrapModel: (_, next) => next() })
  const model = scriptedModel([{ text: 'never said', delayMs: 50 }], { clock })
  const turn = createAgent({ model, clock, use: [around, metrics(meter)] }).send('hi')
  await clock.advance(10)
  turn.interrupt()
  await clock.advance(100)
  expect((await turn).status).toBe('interrupted')
  expect(meter.read()).toContainEqual(expect.objectContaining({ name: 'wrapModel', by: 'around', count: 1 }))
  expect(meter.read().filter(({ failures }) => failures > 0)).toEqual([])
})
