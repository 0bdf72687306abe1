import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { branchContext, recordedUsage, withoutTold } from './recorded-usage.ts'

const usage = { inputTokens: 30, outputTokens: 5, cost: 0.25 }

test('a conversation that is opened has the sums of all its turns, and the length of its last prompt', async () => {
  const store = memoryStore()
  const model = scriptedModel([
    { text: 'One.', usage: { inputTokens: 10, outputTokens: 5, cost: 0.5 } },
    { text: 'Two.', usage },
  ])
  const chat = createAgent({ model, store }).conversation('conv_a')
  expect(await recordedUsage(store, chat)).toEqual({ tokens: 0, cost: 0, isCostPartial: false, context: 0 })
  await chat.send('First.')
  await chat.send('Second.')
  await chat.kept()
  expect(await recordedUsage(store, chat)).toEqual({ tokens: 50, cost: 0.75, isCostPartial: false, context: 30 })
})

test('a cost that is not known is a part that is missing', async () => {
  const store = memoryStore()
  const model = scriptedModel([{ text: 'One.', usage: { inputTokens: 10, outputTokens: 5 } }])
  const chat = createAgent({ model, store }).conversation('conv_a')
  await chat.send('First.')
  await chat.kept()
  expect(await recordedUsage(store, chat)).toMatchObject({ tokens: 15, cost: 0, isCostPartial: true })
})

test('what is known of a cost stays known where a part of it is not', async () => {
  const store = memoryStore()
  const model = scriptedModel([
    { text: 'One.', usage: { inputTokens: 10, outputTokens: 5, cost: 0.5 } },
    { text: 'Two.', usage: { inputTokens: 10, outputTokens: 5 } },
    { text: 'Three.', usage },
  ])
  const chat = createAgent({ model, store }).conversation('conv_a')
  for (const said of ['First.', 'Second.', 'Third.']) await chat.send(said)
  await chat.kept()
  expect(await recordedUsage(store, chat)).toMatchObject({ cost: 0.75, isCostPartial: true })
})

test('a turn that is resumed tells its usage again, so what it has told is taken off', () => {
  const told = [{ type: 'usage', messageId: 'm', total: usage, ...usage, conversationId: 'c', seq: 1, at: 1 }] as const
  const shown = { tokens: 50, cost: 0.75, isCostPartial: false, context: 30 }
  expect(withoutTold(shown, told)).toEqual({ tokens: 15, cost: 0.5, isCostPartial: false, context: 30 })
  // The store has no sum where a part of it is not known.
  expect(withoutTold({ ...shown, cost: 0, isCostPartial: true }, told)).toMatchObject({ tokens: 15, cost: 0 })
})

test('a branch has the length of its own last prompt', async () => {
  const replies = [10, 20, 30].map(inputTokens => ({ text: 'Yes.', usage: { inputTokens, outputTokens: 5 } }))
  const chat = createAgent({ model: scriptedModel(replies), store: memoryStore() }).conversation('conv_a')
  await chat.send('First.')
  const first = chat.head ?? null
  await chat.send('Second.')
  const fork = chat.fork(first)
  expect([chat, fork, chat.fork(null)].map(branchContext)).toEqual([20, 10, 0])
  await fork.send('Other.')
  expect([chat, fork].map(branchContext)).toEqual([20, 30])
})
