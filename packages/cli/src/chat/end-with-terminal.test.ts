import type { Event } from 'turnbuckle'
import { applyEvent } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { commandsEnded } from './end-with-terminal.ts'
import { type ChatState, emptyChatState } from './transcript/chat-state.ts'

/** A chat whose view has heard these events, and can hear more. */
function chat() {
  const listeners = new Set<() => void>()
  const session = {
    state: emptyChatState as ChatState,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const hear = (event: object) => {
    const told = { turnId: 't', conversationId: 'c', messageId: 'm', at: 1, ...event } as unknown as Event
    session.state = { ...session.state, view: applyEvent(session.state.view, told) }
    for (const listener of listeners) listener()
  }
  return { session, hear, listeners }
}
const call = (type: string, name: string) => ({ type, callId: name, name, args: {}, status: 'ok', result: 'r' })

test('with no command running nothing is waited for, whatever else runs', async () => {
  const { session, hear } = chat()
  hear(call('tool.pending', 'wait'))
  hear(call('tool.executing', 'wait'))
  await commandsEnded(session)
})

test('a command is waited for until its result is told', async () => {
  const { session, hear, listeners } = chat()
  hear(call('tool.pending', 'shell'))
  hear(call('tool.executing', 'shell'))
  let over = false
  const ended = commandsEnded(session).then(() => {
    over = true
  })
  hear({ ...call('tool.progress', 'shell'), text: 'a line' })
  await Promise.resolve()
  expect(over).toBe(false)
  hear(call('tool.completed', 'shell'))
  await ended
  expect(listeners.size).toBe(0)
})
