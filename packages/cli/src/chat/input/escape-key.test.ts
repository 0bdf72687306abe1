import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyboardChat as chat } from '../../../test/keyboard-chat.ts'
import { editorWith } from '../editor/editor.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { ChatState } from '../transcript/chat-state.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('that Esc again would stop the turn is not said any more when the turn has ended', () => {
  const { session, esc } = chat()
  esc()
  expect(session.state.hint).toBe('Esc again to stop')
  session.set({ running: false })
  expect(session.state.hint).toBe('')
})

test('Esc Esc while another program works puts a message that waits into the input, before what is written there', () => {
  const { session, esc, type, written } = chat({ running: false, queue: ['Thanks.'] })
  Object.assign(session, { isWorking: false, isFollowing: true })
  type('And more')
  esc()
  expect([session.state.hint, written()]).toEqual(['Esc again to take your message back', 'And more'])
  esc()
  expect(written()).toBe('Thanks.\nAnd more')
})

/** A chat with vim keys, in which one writes. */
const vimChat = (text = '') => chat({ editor: { ...editorWith(text), vim: { mode: 'insert' } } })

test('with vim keys one Esc at a question is no, and two stop the turn, while nothing is written', () => {
  const { heard, ask, esc, later } = vimChat()
  ask()
  later(400)
  esc()
  expect(heard).toEqual([{ decision: 'deny' }])
  esc()
  expect(heard).toEqual([{ decision: 'deny' }, 'Esc Esc'])
})

test('with vim keys Esc in a text is that of vim, also at a question', () => {
  const { heard, session, ask, esc, later } = vimChat('wait')
  ask()
  later(400)
  esc()
  expect([heard, session.state.editor.vim?.mode]).toEqual([[], 'normal'])
  esc()
  expect(heard).toEqual([{ decision: 'deny' }])
})

const backHint = 'Esc again to go back to an earlier message'

/** A chat at rest in which two messages were said. `past`: what the screen shows. */
function saidChat(past: ChatState['past'] = [{ kind: 'user', id: 'm2', text: 'Hi.', done: true }]) {
  const made = chat({ running: false, past })
  const messages = ['m1', 'm2'].map(id => ({ id, role: 'user', content: [{ type: 'text', text: 'Hi.' }] }))
  const tree = messages.map(message => ({ id: message.id, message }))
  made.session.conversation = { messages, tree } as unknown as ChatSession['conversation']
  const run = (isWorking: boolean) => {
    made.session.isWorking = isWorking
    made.session.set({ running: isWorking })
  }
  run(false)
  return { ...made, run, listed: () => vi.waitFor(() => expect(made.session.state.picker).toBeDefined()) }
}

test('Esc Esc in an empty input lists the messages to go back to, also those that the screen does not show', async () => {
  const { session, esc, listed } = saidChat([])
  esc()
  expect(session.state).toMatchObject({ hint: backHint, past: [] })
  esc()
  await listed()
  expect(session.state.picker?.items).toHaveLength(2)
})

test.each<{ what: string; more: () => ReturnType<typeof chat> }>([
  { what: 'nothing was said', more: () => chat({ running: false }) },
  {
    what: 'something is written',
    more: () => {
      const made = saidChat()
      made.type('x')
      return made
    },
  },
  {
    what: 'another program works on the turn',
    more: () => {
      const made = saidChat()
      made.session.isFollowing = true
      return made
    },
  },
])('Esc does not offer to go back where $what', ({ more }) => {
  const { session, esc } = more()
  session.isWorking = false
  esc()
  expect(session.state.hint).toBe('')
})

type SaidChat = ReturnType<typeof saidChat>
test.each<{ what: string; first: (made: SaidChat) => void }>([
  {
    what: 'was to stop a turn that has ended by itself',
    first({ run, esc }) {
      run(true)
      esc()
      run(false)
    },
  },
  {
    what: 'was a no, after which the turn has ended',
    first({ run, esc, ask, later }) {
      run(true)
      ask()
      esc()
      run(false)
      later(1000)
    },
  },
  {
    what: 'was a no to going back',
    first({ ask, esc }) {
      ask({ kind: 'back', own: true })
      esc()
    },
  },
  {
    what: 'was a no between two others',
    first({ ask, esc }) {
      esc()
      ask()
      esc()
    },
  },
])('an Esc that $what is not the first of the two that go back', async ({ first }) => {
  const made = saidChat()
  first(made)
  made.esc()
  expect(made.session.state.hint).toBe(backHint)
  made.esc()
  await made.listed()
  expect(made.session.state.picker?.title).toBe('Back to before')
})

test('an Esc that offered to go back is not the first of the two that stop a turn, and the offer ends with its start', () => {
  const { session, esc, run, heard } = saidChat()
  esc()
  run(true)
  expect(session.state.hint).toBe('')
  esc()
  expect([heard, session.state.hint]).toEqual([[], 'Esc again to stop'])
})
