import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'
import { eraseTrace, keepTraces, readTrace } from './keep-traces.ts'

test('the trace of a turn that has ended is kept, and can be erased', async () => {
  const store = memoryStore()
  const traces = keepTraces(store)
  const turn = createAgent({ model: scriptedModel(['Hi.']), use: [traces.use] })
    .conversation()
    .send('Go.')
  await turn.settled
  await vi.waitUntil(async () => (await readTrace(store, turn.id)).length > 0)
  expect(await readTrace(store, turn.id)).toEqual(traces.timeline.of(turn.id))
  expect(traces.running.names).toEqual([])
  await eraseTrace(store, turn.id)
  expect(await readTrace(store, turn.id)).toEqual([])
})

test('a store that fails does not fail the turn', async () => {
  const store = { ...memoryStore(), set: () => Promise.reject(new Error('full')) }
  const { use } = keepTraces(store)
  const turn = createAgent({ model: scriptedModel(['Hi.']), use: [use] })
    .conversation()
    .send('Go.')
  expect(await turn.settled).toMatchObject({ status: 'completed' })
})
