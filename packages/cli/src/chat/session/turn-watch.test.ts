import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { TurnWatch } from './turn-watch.ts'

/** A watch at a conversation in which something was said, and a way to go on with it elsewhere. */
async function watched() {
  const store = memoryStore()
  const conversation = createAgent({ model: scriptedModel(['One.', 'Two.']), store }).conversation('conv_a')
  await conversation.send('Hi.')
  const noticed: string[] = []
  const chat = { isAtRest: true }
  const watch = new TurnWatch(store, {
    atRest: () => (chat.isAtRest ? 'conv_a' : undefined),
    grown: async () => noticed.push('grown'),
    free: () => noticed.push('free'),
  })
  await watch.open(conversation)
  return { store, conversation, noticed, chat, watch }
}

test('a log that has grown is noticed until its events are known; then nobody works on the conversation', async () => {
  const { conversation, noticed, watch } = await watched()
  const turn = conversation.send('And?')
  await turn
  await watch.look()
  await watch.look()
  const events = await watch.unknown('conv_a')
  expect(events.every(({ turnId }) => turnId === turn.id)).toBe(true)
  expect(events[0]?.type).toBe('turn.started')
  watch.known(events.at(-1)?.seq)
  await watch.look()
  expect(noticed).toEqual(['grown', 'grown', 'free'])
})

test('a conversation that another process holds is not free', async () => {
  const { noticed, watch, store } = await watched()
  const lease = { conversation: 'conv_a', holder: 'another/1/y', fence: undefined, leaseMs: 60_000, release: false }
  await store.driver.commit({ ...lease, records: [], head: undefined })
  await watch.look()
  expect(noticed).toEqual([])
})

test('a chat that is not at rest does not look', async () => {
  const { conversation, noticed, watch, chat } = await watched()
  chat.isAtRest = false
  await conversation.send('And?')
  await watch.look()
  expect(noticed).toEqual([])
})
