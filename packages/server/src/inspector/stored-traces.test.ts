import type { WireSpan } from 'turnbuckle/client'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { gate } from '../../test/serve.ts'
import { StoredTraces } from './stored-traces.ts'

const spans = [{ id: 0, turnId: 't', stage: 'turn', kind: 'stage', depth: 0 }] as unknown as readonly WireSpan[]

test('the trace of a turn is kept until it is erased', async () => {
  const traces = new StoredTraces(memoryStore())
  await traces.keep('t', spans)
  expect(await traces.of('t')).toEqual(spans)
  await traces.erase('t', false)
  expect(await traces.of('t')).toEqual([])
})

test('a turn that ran when its conversation was deleted leaves no trace', async () => {
  const traces = new StoredTraces(memoryStore())
  await traces.erase('t', true)
  await traces.keep('t', spans)
  expect(await traces.of('t')).toEqual([])
})

test('a trace that is being written when it is erased is gone afterwards', async () => {
  const kept = memoryStore()
  const slow = gate()
  let first = true
  const store: ConversationStore = {
    ...kept,
    async set(...given) {
      if (first) {
        first = false
        await slow.opened
      }
      return kept.set(...given)
    },
  }
  const traces = new StoredTraces(store)
  const done = [traces.keep('t', spans), traces.erase('t', true)]
  slow.open()
  await Promise.all(done)
  expect(await traces.of('t')).toEqual([])
})
