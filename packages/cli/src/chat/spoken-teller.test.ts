import { expect, test } from 'vitest'
import { editorWith } from './editor/editor.ts'
import { openPicker } from './menu/picker.ts'
import { SpokenTeller } from './spoken-teller.ts'
import { type ChatState, emptyChatState } from './transcript/chat-state.ts'
import type { TranscriptItem } from './transcript/transcript-item.ts'

/** A chat whose changes are told; gives what was said since. */
function chat() {
  const said: string[] = []
  const session = {
    state: emptyChatState as ChatState,
    set(change: Partial<ChatState> | ((state: ChatState) => ChatState)) {
      session.state = typeof change === 'function' ? change(session.state) : { ...session.state, ...change }
    },
  }
  const teller = new SpokenTeller(session, line => said.push(line))
  return (change: Partial<ChatState>) => {
    session.set(change)
    teller.tell()
    return said.splice(0)
  }
}
const reply: TranscriptItem = { kind: 'reply', id: 'm', text: 'Hi.', reasoning: '', done: true }

test('what begins is said before what is finished, the end of the turn after it', () => {
  const change = chat()
  expect(change({ running: true })).toEqual(['Working.'])
  expect(change({ activity: 'writing', past: [reply] })).toEqual(['Now: writing.', 'Assistant: Hi.'])
  expect(change({ running: false, past: [reply, { ...reply, id: 'n' }] })).toEqual([
    'Assistant: Hi.',
    'Done. Say something, or /help.',
  ])
})

test('an item and a question are said once', () => {
  const change = chat()
  const questions = [{ id: 'q', kind: 'yes-no', title: 'Sure?', body: '' } as const]
  expect(change({ past: [reply], questions })).toEqual(['Assistant: Hi.', expect.stringContaining('Sure?')])
  expect(change({ tokens: 5 })).toEqual([])
})

test('of a list each entry is one line, whatever its name has', () => {
  const items = [{ id: 'conv_a', label: 'look at this\n\nit is a file\n', detail: 'just now' }]
  expect(chat()({ picker: openPicker('Go on with', items, () => {}) })).toEqual([
    'look at this it is a file just now (conv_a)',
  ])
})

test('a message that goes back into the input is said', () => {
  const change = chat()
  const given = { editor: editorWith('what is 1+1') }
  expect([change(given), change({ tokens: 5 }), change(given)]).toEqual([
    ['Your message was: what is 1+1'],
    [],
    ['Your message was: what is 1+1'],
  ])
})

test('a message that has waited, here or in a chat that is gone, is said when it is sent; one that was just typed is not', () => {
  const change = chat()
  change({ queue: ['Thanks.'] })
  change({ queue: [] })
  const user = (id: string): TranscriptItem => ({ kind: 'user', id, text: 'Thanks.', done: true })
  expect(change({ running: true, past: [user('a')] })).toContain('This has waited, and is sent now: Thanks.')
  expect(change({ past: [user('a'), user('b')] })).toEqual([])
})

test('the end of a turn that another program worked on is said, but not when it was only left', () => {
  const change = chat()
  expect(change({ followed: 'on', past: [reply] })).toEqual(['Assistant: Hi.'])
  expect(change({ followed: 'ended' })).toEqual(['Done. Say something, or /help.'])
  expect(change({ followed: 'on' })).toEqual([])
  expect(change({ followed: 'none' })).toEqual([])
})
