import { expect, test } from 'vitest'
import type { ChatSession } from '../chat-session.ts'
import { emptyChatState } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import { editorWith } from './editor.ts'
import type { InputHistory } from './input-history.ts'
import type { KeyPress } from './key-reader.ts'
import { Keyboard } from './keyboard.ts'

const question: Question = { id: 'r1', kind: 'permission', title: '', body: '', scopes: ['once', 'conversation'] }

/** A chat in which something runs; what is answered and said is heard. */
function chat() {
  const heard = { answers: [] as unknown[], said: [] as string[] }
  const ended: string[] = []
  const session = {
    state: { ...emptyChatState, running: true },
    set(change: object | ((state: object) => object)) {
      session.state = (typeof change === 'function' ? change(session.state) : { ...session.state, ...change }) as never
    },
    change(_: Question, change: Partial<Question>) {
      session.set({ questions: session.state.questions.map(one => ({ ...one, ...change })) })
    },
    answer: (_: Question, answer: unknown) => heard.answers.push(answer),
    send: (text: string) => heard.said.push(text),
    leave: () => ended.push('left'),
    interrupt: (by: string) => ended.push(by),
  }
  let now = 0
  const keyboard = new Keyboard(session as unknown as ChatSession, { add() {} } as unknown as InputHistory, () => now)
  return {
    heard,
    ended,
    session,
    press: (key: KeyPress) => keyboard.press(key),
    type: (text: string) => keyboard.press({ name: 'text', text }),
    enter: () => keyboard.press({ name: 'enter', text: '\r' }),
    later: (ms: number) => {
      now += ms
    },
  }
}

test('a question that comes up while one writes is not answered by what is being written', () => {
  const { heard, session, type, enter, later } = chat()
  type('ma')
  session.set({ questions: [question] })
  later(200)
  type('y')
  type('be')
  expect(session.state.editor).toEqual(editorWith('maybe'))
  enter()
  expect(heard).toEqual({ answers: [], said: ['maybe'] })
  type('y')
  expect(heard.answers).toEqual([{ decision: 'allow', scope: 'once' }])
})

test('after a pause the keys answer, and the draft waits', () => {
  const { heard, session, type, enter, later } = chat()
  type('may')
  session.set({ questions: [question] })
  later(500)
  enter()
  expect(heard).toEqual({ answers: [{ decision: 'allow', scope: 'conversation' }], said: [] })
  expect(session.state.editor).toEqual(editorWith('may'))
})

test('what is written after the question came up answers it, however fast', () => {
  const { heard, session, type, enter } = chat()
  type('ask me')
  enter()
  session.set({ questions: [{ ...question, kind: 'text' }] })
  type('the blue')
  type(' one')
  enter()
  expect(heard).toEqual({ answers: [{ text: 'the blue one' }], said: ['ask me'] })
})

test('what was sent just before does not make an answer in words a message', () => {
  const { heard, session, type, enter } = chat()
  type('ask me')
  enter()
  session.set({ questions: [{ ...question, kind: 'text' }] })
  type('blue')
  enter()
  expect(heard).toEqual({ answers: [{ text: 'blue' }], said: ['ask me'] })
})

const esc: KeyPress = { name: 'escape', text: '' }
const ctrlC: KeyPress = { name: 'ctrl', text: 'c' }
const letter: KeyPress = { name: 'text', text: 'x' }

test.each<{ name: string; presses: (KeyPress | number)[]; ends: string[] }>([
  { name: 'Esc twice interrupts', presses: [esc, 500, esc], ends: ['Esc Esc'] },
  { name: 'Esc twice, too slowly, does nothing', presses: [esc, 501, esc], ends: [] },
  { name: 'Esc, a letter, Esc does nothing', presses: [esc, letter, esc], ends: [] },
  { name: 'Ctrl-C twice leaves', presses: [ctrlC, 2000, ctrlC], ends: ['left'] },
  { name: 'Ctrl-C twice, too slowly, does not leave', presses: [ctrlC, 2001, ctrlC], ends: [] },
  { name: 'Ctrl-C, a letter, Ctrl-C does not leave', presses: [ctrlC, letter, ctrlC], ends: [] },
])('$name', ({ presses, ends }) => {
  const { ended, press, later } = chat()
  for (const one of presses)
    if (typeof one === 'number') later(one)
    else press(one)
  expect(ended).toEqual(ends)
})
