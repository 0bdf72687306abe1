import { createAgent } from 'turnbuckle'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'
import type { ChatState } from '../transcript/chat-state.ts'
import { eraseQueues, MessageQueue } from './message-queue.ts'
import type { ShownChat } from './shown-chat.ts'

function queued() {
  const store = memoryStore()
  const shown: unknown[] = []
  const set = ({ queue }: Partial<ChatState>) => void shown.push(queue)
  const queue = new MessageQueue({ composed: { store }, set } as unknown as ShownChat)
  return { queue, store, shown }
}

/** Something was said in the conversation. */
const begin = async (store: ConversationStore, id = 'conv_a') =>
  void (await createAgent({ model: scriptedModel(['Hello.']), store })
    .conversation(id)
    .send('Hi.'))

const kept = async (store: ConversationStore) => (await store.entries('queue')).map(([, texts]) => texts)

test('messages are sent from the front and taken back from the end', async () => {
  const { queue, store } = queued()
  for (const text of ['one', 'two', 'three']) queue.add('conv_a', text)
  expect([queue.takeLast('conv_a'), queue.takeFirst('conv_a'), queue.isEmpty]).toEqual(['three', 'one', false])
  expect(await kept(store)).toEqual([['two']])
  expect([queue.takeFirst('conv_a'), queue.takeFirst('conv_a'), queue.isEmpty]).toEqual(['two', undefined, true])
})

test('a message is shown to wait once the store has it', async () => {
  const { queue, store, shown } = queued()
  const { set } = store
  let isShownBefore: boolean | undefined
  store.set = async (...entry) => {
    await set(...entry)
    isShownBefore = shown.length > 0
  }
  queue.add('conv_a', 'one')
  await vi.waitFor(() => expect(shown).toEqual([['one']]))
  expect([isShownBefore, await kept(store)]).toEqual([false, [['one']]])
})

/** The queue of another chat on the same store. `owner`: of a process that is gone. */
const other = (store: object, owner?: string) =>
  new MessageQueue({ composed: { store }, set() {} } as unknown as ShownChat, owner)
const gone = 'elsewhere/1/x'

test('what a process that is gone has left is taken over, before what waits here; of other conversations nothing is', async () => {
  const { queue, store } = queued()
  await begin(store)
  const left = other(store, gone)
  left.add('conv_a', 'one')
  left.add('conv_a', 'two')
  queue.add('conv_b', 'mine')
  await queue.takeOver('conv_b')
  expect([queue.takeFirst('conv_b'), queue.isEmpty]).toEqual(['mine', true])
  queue.add('conv_a', 'mine')
  await queue.takeOver('conv_a')
  expect(['', '', '', ''].map(() => queue.takeFirst('conv_a'))).toEqual(['one', 'two', 'mine', undefined])
  expect(await kept(store)).toEqual([])
})

test('of two chats that take over what a third has left at the same time, one gets it', async () => {
  const { queue, store } = queued()
  await begin(store)
  other(store, gone).add('conv_a', 'one')
  const there = other(store)
  await Promise.all([queue.takeOver('conv_a'), there.takeOver('conv_a')])
  expect([queue, there].map(each => each.takeFirst('conv_a')).toSorted()).toEqual(['one', undefined])
  expect(await kept(store)).toEqual([])
})

test('what a process that is gone has left stays where it is while another works on the conversation', async () => {
  const { queue, store } = queued()
  await begin(store)
  other(store, gone).add('conv_a', 'one')
  const lease = { conversation: 'conv_a', holder: 'another/1/y', fence: undefined, leaseMs: 60_000, release: false }
  await store.driver.commit({ ...lease, records: [], head: undefined })
  await queue.takeOver('conv_a')
  expect([queue.isEmpty, await kept(store)]).toEqual([true, [['one']]])
})

test('two chats in one conversation keep what waits apart: neither loses, takes or doubles a message of the other', async () => {
  const { queue, store } = queued()
  const there = other(store)
  queue.add('conv_a', 'mine')
  there.add('conv_a', 'theirs')
  queue.add('conv_a', 'mine too')
  await there.takeOver('conv_a')
  await queue.takeOver('conv_a')
  expect((await kept(store)).toSorted()).toEqual([['mine', 'mine too'], ['theirs']])
  expect([there.takeFirst('conv_a'), there.isEmpty]).toEqual(['theirs', true])
})

test('a chat that comes back to a conversation finds what it left waiting there', async () => {
  const { queue } = queued()
  queue.add('conv_a', 'mine')
  queue.clear()
  expect(queue.isEmpty).toBe(true)
  await queue.takeOver('conv_a')
  expect(queue.takeFirst('conv_a')).toBe('mine')
})

test('the queue that the version before kept for all chats is taken over', async () => {
  const { queue, store } = queued()
  await begin(store)
  await store.set('queue', 'conv_a', ['old'])
  await queue.takeOver('conv_a')
  expect([queue.takeFirst('conv_a'), await store.get('queue', 'conv_a')]).toEqual(['old', undefined])
})

test('a message that was not taken waits before the others', () => {
  const { queue } = queued()
  queue.add('conv_a', 'second')
  queue.addFirst('conv_a', 'first')
  expect([queue.takeFirst('conv_a'), queue.takeFirst('conv_a')]).toEqual(['first', 'second'])
})

test('nothing is left of a conversation that is deleted', async () => {
  const { queue, store } = queued()
  for (const id of ['conv_a', 'conv_ab']) queue.add(id, 'one')
  await eraseQueues(store, 'conv_a')
  expect((await store.entries('queue')).map(([key]) => key.split('/')[0])).toEqual(['conv_ab'])
})
