import { createAgent, type Span, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { packTrace, unpackTrace } from './pack-trace.ts'
import { retry } from './retry.ts'
import { createTimeline, trace } from './trace.ts'

async function recorded(): Promise<readonly Span[]> {
  const timeline = createTimeline()
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done.'])
  const look = tool({ name: 'look', run: () => 1 })
  const turn = createAgent({ model, tools: [look], use: [retry(), trace(timeline)] }).send('Go.')
  await turn
  return timeline.of(turn.id)
}

test('a packed trace is small, and gives the same spans', async () => {
  const spans = await recorded()
  const packed = JSON.stringify(packTrace(spans))
  expect(unpackTrace(JSON.parse(packed))).toEqual(spans)
  expect(packed.length).toBeLessThan(JSON.stringify(spans).length / 3)
})

test('a member that is text in some spans only, and a trace without spans, are given back', () => {
  const spans = [
    { id: 0, note: 'a', startedAt: 1794882608450.7056 },
    { id: 1, note: { b: [1] }, startedAt: 1794882608451 },
  ]
  expect(unpackTrace(JSON.parse(JSON.stringify(packTrace(spans))))).toEqual(spans)
  expect(unpackTrace(packTrace([]))).toEqual([])
})

test('a list of spans, as older versions kept it, is read as it is', () => {
  expect(unpackTrace([{ id: 0 }])).toEqual([{ id: 0 }])
  expect(unpackTrace(undefined)).toEqual([])
})
