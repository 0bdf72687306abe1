import type { Conversation } from 'turnbuckle'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chatSession, textsOf } from '../../../test/chat-session.ts'
import { FollowedTurn } from './followed-turn.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A followed turn that its process has left, and what the chat hears of that. `open` reads the conversation anew. */
function left(open: () => Promise<Conversation>, over: () => Promise<void> = async () => {}) {
  const store = { events: () => [], conversation: () => ({ held: false }) }
  const { session } = chatSession({}, { store, agent: { open, conversation: () => ({}) } })
  const heard: unknown[] = []
  const followed = new FollowedTurn(session, {
    hear: () => {},
    over(...end) {
      heard.push(end)
      return over()
    },
  })
  followed.follow('conv_a', 'turn_1', 0)
  return { session, followed, heard }
}

const conversation = {} as Conversation
/** A store that takes a minute to read a conversation. */
const slowly = () => new Promise<Conversation>(resolve => setTimeout(() => resolve(conversation), 60_000))
const look = () => vi.advanceTimersByTimeAsync(1000)
const read = () => vi.advanceTimersByTimeAsync(60_000)

test('a turn is followed until the conversation is read anew', async () => {
  const { followed, heard } = left(slowly)
  await look()
  expect([followed.isOn, heard]).toEqual([true, []])
  await read()
  expect([followed.isOn, heard]).toEqual([false, [['left', conversation]]])
})

test('a store that fails when the conversation is read anew is a warning', async () => {
  const { session, followed, heard } = left(() => Promise.reject(new Error('The database is locked.')))
  await look()
  expect(textsOf(session)).toEqual([
    'conv_a could not be read: The database is locked.\n/resume conv_a reads it again.',
  ])
  expect([followed.isOn, heard]).toEqual([false, []])
})

test('a store that fails when the chat goes on with the conversation is a warning', async () => {
  const { session } = left(
    async () => conversation,
    () => Promise.reject(new Error('The database is locked.')),
  )
  await look()
  expect(textsOf(session)[0]).toContain('The database is locked.')
})

test('a conversation that was left while it is read anew is not gone on with', async () => {
  const { followed, heard } = left(slowly)
  await look()
  followed.leave()
  await read()
  expect([followed.isOn, heard]).toEqual([false, []])
})
