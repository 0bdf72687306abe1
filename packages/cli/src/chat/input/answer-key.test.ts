import { expect, test } from 'vitest'
import { editorWith } from '../editor/editor.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { type ChatState, closeQuestion, emptyChatState } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import { answerKey } from './answer-key.ts'
import type { KeyPress } from './key-press.ts'

const all = ['once', 'conversation', 'project', 'always']

/** A question in a chat with half a message in the input; keys go to the question. */
function asked(more: Partial<Question> = {}) {
  const answers: unknown[] = []
  const question: Question = { id: 'r1', kind: 'permission', title: '', body: '', scopes: all, ...more }
  const session = {
    state: { ...emptyChatState, editor: editorWith('half a mess'), questions: [question] } as ChatState,
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
    return now ? answerKey(session as unknown as ChatSession, now, { name, text }) : false
  }
  return {
    answers,
    press,
    letters: (keys: string) => {
      for (const key of keys) press('text', key)
    },
    written: () => session.state.editor.text,
    now: () => session.state.questions[0],
  }
}

test.each([
  { keys: 'y', answer: { decision: 'allow', scope: 'once' } },
  { keys: 'Yy', answer: { decision: 'allow', scope: 'conversation' } },
  { keys: 'py', answer: { decision: 'allow', scope: 'project' } },
  { keys: 'ay', answer: { decision: 'allow', scope: 'always' } },
  { keys: 'N', answer: { decision: 'deny', scope: 'conversation' } },
])('$keys answers $answer', ({ keys, answer }) => {
  const { answers, letters } = asked({ deniable: true })
  letters(keys)
  expect(answers).toEqual([answer])
})

test.each([
  { key: 'enter', letter: '', answers: [{ back: 'conversation' }] },
  { key: 'text', letter: 'c', answers: [{ back: 'conversation' }] },
  { key: 'text', letter: 'b', answers: [{ back: 'both' }] },
  { key: 'text', letter: 'f', answers: [{ back: 'files' }] },
  { key: 'text', letter: 'n', answers: [{ decision: 'deny' }] },
  { key: 'text', letter: 'y', answers: [] },
] as const)('at the question what goes back $key $letter answers $answers', ({ key, letter, answers: wanted }) => {
  const { answers, press } = asked({ kind: 'back', own: true })
  press(key, letter)
  expect(answers).toEqual(wanted)
})

test('Enter allows once', () => {
  const { answers, press } = asked()
  press('enter')
  expect(answers).toEqual([{ decision: 'allow', scope: 'once' }])
})

test.each(['Y', 'p', 'a'])('%s shows the pattern first: Enter does not grant it, another letter goes back', key => {
  const { answers, press, letters, now } = asked()
  letters(key)
  expect(now()?.confirming).toBeDefined()
  press('enter')
  expect(now()?.problem).toMatch(/Enter is no answer/)
  expect(press('text', 'x')).toBe(false)
  expect(now()).toMatchObject({ confirming: undefined })
  expect(answers).toEqual([])
})

test('a call that no pattern describes is not allowed for longer than once', () => {
  const { answers, letters, now } = asked({ scopes: ['once'] })
  letters('a')
  expect(now()?.problem).toBe('This call can only be allowed once: y.')
  letters('N')
  expect(answers).toEqual([{ decision: 'deny' }])
})

test('a letter that means nothing is not taken', () => {
  for (const kind of ['permission', 'yes-no', 'outcome', 'plan'] as const)
    expect(asked({ kind }).press('text', 'w')).toBe(false)
})

test.each([
  { key: 'y', answer: { outcome: 'happened' } },
  { key: 'r', answer: { outcome: 'not' } },
  { key: 's', answer: { outcome: 'stop' } },
])('whether something happened is answered with $key', ({ key, answer }) => {
  const { answers, letters } = asked({ kind: 'outcome' })
  letters(key)
  expect(answers).toEqual([answer])
})

test('n does not answer whether something happened: it is no to one person and run it to another', () => {
  const { answers, letters, now } = asked({ kind: 'outcome' })
  letters('n')
  expect(answers).toEqual([])
  expect(now()?.problem).toContain('r runs it now, s ends the turn')
})

test.each(['permission', 'plan'] as const)(
  'n at a %s question asks for the reason; the draft waits meanwhile',
  kind => {
    const { answers, press, letters, written } = asked({ kind })
    letters('nno')
    expect(written()).toBe('no')
    press('enter')
    expect(answers).toEqual([{ decision: 'deny', scope: 'once', reason: 'no' }])
    expect(written()).toBe('half a mess')
  },
)

test.each([
  { argument: 'command', args: { command: 'ls', cwd: 'src' }, text: 'ls', gives: { command: 'lsx', cwd: 'src' } },
  {
    argument: 'content',
    args: { path: 'a', content: 'one\n' },
    text: 'one\n',
    gives: { path: 'a', content: 'one\nx' },
  },
  { argument: undefined, args: { city: 1 }, text: '{"city":1}', gives: undefined },
])('e edits $argument', ({ argument, args, text, gives }) => {
  const { answers, press, letters, written, now } = asked({ args, ...(argument ? { argument } : {}) })
  letters('e')
  expect(written()).toBe(text)
  letters('x')
  press('enter')
  if (gives) expect(answers).toEqual([{ decision: 'allow', scope: 'once', args: gives }])
  else expect(now()?.problem).toMatch(/not valid JSON/)
})

test('d passes the question on to a person it names', () => {
  const { answers, press, letters, now } = asked({ delegates: ['cfo'] })
  letters('dbob')
  press('enter')
  expect(answers).toEqual([])
  expect(now()?.problem).toBe('It can be passed on to: cfo.')
  for (const _ of 'bob') press('backspace')
  letters('cfo')
  press('enter')
  expect(answers).toEqual([{ decision: 'delegate', to: 'cfo' }])
})

test('d begins a text where the question cannot be passed on', () => {
  const { press, now } = asked()
  expect(press('text', 'd')).toBe(false)
  expect(now()?.writing).toBeUndefined()
})
