import { expect, test } from 'vitest'
import type { ChatSession } from '../chat-session.ts'
import { type ChatState, closeQuestion, emptyChatState } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import { answerKey } from './answer-key.ts'
import { editorWith } from './editor.ts'
import type { KeyPress } from './key-reader.ts'

const question = (scopes: readonly string[], kind: Question['kind'] = 'permission'): Question => ({
  id: 'r1',
  kind,
  title: '',
  body: '',
  scopes,
})
const all = ['once', 'conversation', 'project', 'always']

function press(
  letter: string,
  scopes: readonly string[],
  kind?: Question['kind'],
): { answer?: unknown; problem?: unknown } {
  const heard: { answer?: unknown; problem?: unknown } = {}
  const session = {
    answer(_: Question, answer: unknown) {
      heard.answer = answer
    },
    change(_: Question, { problem }: Partial<Question>) {
      heard.problem = problem
    },
  }
  answerKey(session as unknown as ChatSession, question(scopes, kind), {
    name: letter === '\r' ? 'enter' : 'text',
    text: letter,
  })
  return heard
}

test.each([
  { key: 'y', answer: { decision: 'allow', scope: 'once' } },
  { key: 'Y', answer: { decision: 'allow', scope: 'conversation' } },
  { key: '\r', answer: { decision: 'allow', scope: 'conversation' } },
  { key: 'p', answer: { decision: 'allow', scope: 'project' } },
  { key: 'a', answer: { decision: 'allow', scope: 'always' } },
  { key: 'N', answer: { decision: 'deny', scope: 'conversation' } },
])('$key answers $answer', ({ key, answer }) => {
  expect(press(key, all).answer).toEqual(answer)
})

test('a key that means nothing says so', () => {
  expect(press('x', all)).toEqual({ problem: 'This key means nothing here: ? shows those that do.' })
})

test('a call that no pattern describes is not allowed for longer than once', () => {
  expect(press('a', ['once'])).toEqual({ problem: 'This call can only be allowed once: y.' })
  expect(press('N', ['once']).answer).toEqual({ decision: 'deny' })
})

test.each([
  { key: 'n', answer: { outcome: 'not' } },
  { key: '\r', problem: 'y, n or s answers this.' },
])('whether something happened is answered with $answer by $key', ({ key, ...heard }) => {
  expect(press(key, [], 'outcome')).toEqual(heard)
})

/** A chat in which half a message is written when a question comes up. */
function asked(kind: Question['kind']) {
  const answers: unknown[] = []
  const session = {
    state: { ...emptyChatState, editor: editorWith('half a mess'), questions: [question(all, kind)] } as ChatState,
    set(change: Partial<ChatState> | ((state: ChatState) => ChatState)) {
      session.state = typeof change === 'function' ? change(session.state) : { ...session.state, ...change }
    },
    change(_: Question, change: Partial<Question>) {
      session.set({ questions: session.state.questions.map(one => ({ ...one, ...change })) })
    },
    answer({ id }: Question, answer: unknown) {
      answers.push(answer)
      session.set(state => closeQuestion(state, id))
    },
  }
  const press = (name: KeyPress['name'], text = '') => {
    const [now] = session.state.questions
    if (now) answerKey(session as unknown as ChatSession, now, { name, text })
  }
  return { session, answers, press, written: () => session.state.editor.text }
}

test.each([
  { what: 'an answer', kind: 'text', keys: ['blue'], answer: { text: 'blue' } },
  {
    what: 'a reason',
    kind: 'permission',
    keys: ['n', 'no'],
    answer: { decision: 'deny', scope: 'once', reason: 'no' },
  },
] as const)('what was written before $what is no part of it, and is there again after it', ({ kind, keys, answer }) => {
  const { answers, press, written } = asked(kind)
  for (const key of keys) press('text', key)
  expect(written()).toBe(keys.at(-1))
  press('enter')
  expect(answers).toEqual([answer])
  expect(written()).toBe('half a mess')
})

test('Enter alone answers no question in words, Esc gives back what was written before', () => {
  const { session, answers, press, written } = asked('text')
  press('enter')
  expect(session.state.questions[0]?.problem).toBe('Write an answer first.')
  press('escape')
  expect(written()).toBe('half a mess')
  expect(answers).toEqual([])
})

test('a turn that ends closes what it has asked, and gives back what was written before', () => {
  const { session, press, written } = asked('text')
  press('text', 'blu')
  session.set(state => closeQuestion(state))
  expect(session.state.questions).toEqual([])
  expect(written()).toBe('half a mess')
})
