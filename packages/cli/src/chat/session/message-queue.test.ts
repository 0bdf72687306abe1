import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import type { ChatState } from '../transcript/chat-state.ts'
import { MessageQueue } from './message-queue.ts'
import type { ShownChat } from './shown-chat.ts'

function queued() {
  const store = memoryStore()
  const shown: unknown[] = []
  const set = ({ queue }: Partial<ChatState>) => void shown.push(queue)
  const queue = new MessageQueue({ composed: { store }, set } as unknown as ShownChat)
  return { queue, store, shown }
}

test('messages are sent from the front and taken back from the end', async () => {
  const { queue, store } = queued()
  for (const text of ['one', 'two', 'three']) queue.add('conv_a', text)
  expect([queue.takeLast('conv_a'), queue.takeFirst('conv_a'), queue.isEmpty]).toEqual(['three', 'one', false])
  expect(await store.get('queue', 'conv_a')).toEqual(['two'])
  expect([queue.takeFirst('conv_a'), queue.takeFirst('conv_a'), queue.isEmpty]).toEqual(['two', undefined, true])
})

test('a message is shown to wait once the store has it', async () => {
  const { queue, store, shown } = queued()
  queue.add('conv_a', 'one')
  expect(shown).toEqual([])
  await store.get('queue', 'conv_a')
  await new Promise(resolve => setImmediate(resolve))
  expect(shown).toEqual([['one']])
})

test('another process reads the queue of the conversation that it opens, and no other', async () => {
  const { queue, store } = queued()
  queue.add('conv_a', 'one')
  const again = new MessageQueue({ composed: { store }, set() {} } as unknown as ShownChat)
  await again.read('conv_b')
  expect(again.isEmpty).toBe(true)
  await again.read('conv_a')
  expect(again.takeFirst('conv_a')).toBe('one')
})

/** The queue of a process that works on a conversation, with a message, and that of a chat which follows it. */
async function followed() {
  const { queue: other, store } = queued()
  other.add('conv_a', 'theirs')
  const queue = new MessageQueue({ composed: { store }, set() {} } as unknown as ShownChat)
  await queue.read('conv_a')
  queue.leaveToOther()
  return { other, queue, kept: () => store.get('queue', 'conv_a') }
}

test('what waits for a process that works on the conversation is not sent here, and is kept with what waits here', async () => {
  const { queue, kept } = await followed()
  expect(queue.isEmpty).toBe(true)
  queue.add('conv_a', 'mine')
  expect(await kept()).toEqual(['theirs', 'mine'])
  queue.forgetOther()
  expect([queue.takeFirst('conv_a'), queue.takeFirst('conv_a')]).toEqual(['mine', undefined])
  expect(await kept()).toEqual([])
})

test('what waited for a process that left its turn is sent here, before what waits here', async () => {
  const { other, queue, kept } = await followed()
  queue.add('conv_a', 'mine')
  other.add('conv_a', 'theirs too')
  await queue.takeOver('conv_a')
  expect(await kept()).toEqual(['theirs', 'theirs too', 'mine'])
  expect(queue.takeFirst('conv_a')).toBe('theirs')
})
