import { expect, test } from 'vitest'
import { editorWith } from './editor.ts'
import type { History } from './history.ts'
import { Keyboard } from './keyboard.ts'
import type { ChatSession } from './session.ts'
import { emptyState, type Question } from './state.ts'

const question: Question = { id: 'r1', kind: 'permission', title: '', body: '', scopes: ['once', 'conversation'] }

/** A chat in which something runs; what is answered and said is heard. */
function chat() {
  const heard = { answers: [] as unknown[], said: [] as string[] }
  const session = {
    state: { ...emptyState, running: true },
    set(change: object | ((state: object) => object)) {
      session.state = (typeof change === 'function' ? change(session.state) : { ...session.state, ...change }) as never
    },
    answer: (_: Question, answer: unknown) => heard.answers.push(answer),
    send: (text: string) => heard.said.push(text),
  }
  let now = 0
  const keyboard = new Keyboard(session as unknown as ChatSession, { add() {} } as unknown as History, () => now)
  return {
    heard,
    session,
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
