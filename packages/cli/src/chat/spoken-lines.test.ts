import { expect, test } from 'vitest'
import { spokenAnswer, spokenChange, spokenItem, spokenQuestion } from './spoken-lines.ts'
import { emptyChatState } from './transcript/chat-state.ts'
import type { Question } from './transcript/question.ts'
import { emptyView } from './transcript/recorded-view.ts'

const question = (kind: Question['kind']): Question => ({ id: 'r', kind, title: 'May shell run?', body: '$ ls' })

test('a question is said with the words that answer it', () => {
  expect(spokenQuestion(question('permission'))).toBe(
    'Question.\nMay shell run?\n$ ls\nType yes for this once, or no with a reason: no, because …',
  )
})

test.each([
  { kind: 'permission', line: 'yes', is: { decision: 'allow', scope: 'once' } },
  { kind: 'permission', line: 'No, because it is late', is: { decision: 'deny', reason: 'because it is late' } },
  { kind: 'permission', line: '', is: undefined },
  { kind: 'permission', line: 'wait, do not do that', is: undefined },
  { kind: 'outcome', line: 'happened', is: { outcome: 'happened' } },
  { kind: 'outcome', line: 'Run.', is: { outcome: 'not' } },
  { kind: 'outcome', line: 'yes', is: undefined },
  { kind: 'outcome', line: 'not sure', is: undefined },
  { kind: 'outcome', line: 'run? no', is: undefined },
  { kind: 'back', line: 'both', is: { back: 'both' } },
  { kind: 'back', line: 'Files.', is: { back: 'files' } },
  { kind: 'back', line: 'files? wait', is: undefined },
  { kind: 'back', line: 'yes', is: undefined },
  { kind: 'back', line: 'no', is: { decision: 'deny' } },
  { kind: 'text', line: ' the blue one ', is: 'the blue one' },
] as const)('"$line" at a question of the kind $kind is $is', ({ kind, line, is }) => {
  expect(spokenAnswer(question(kind), line)).toEqual(is)
})

test('a file is said by its kind, not by its bytes', () => {
  const result = [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }]
  const call = {
    kind: 'tool',
    id: 'c',
    name: 'draw',
    args: {},
    status: 'ok',
    startedAt: 0,
    result,
    done: true,
  } as const
  expect(spokenItem(call, false)).toBe('Tool draw {}: ok.\n⎘ image/png, 3 bytes')
  const command = { ...call, name: 'shell', result: 'oops\n[exit code 3]' }
  expect(spokenItem(command, false)).toBe('Tool shell {}: failed.\noops [exit code 3]')
  expect(spokenItem({ ...call, answered: 'allowed by ada' }, false)).toMatch(/^Tool draw {}: ok, allowed by ada\.\n/)
})

test('the whole of a question is not said twice', () => {
  const notice = { kind: 'notice', id: 'n', text: 'May it run?', tone: 'plain', done: true } as const
  expect([spokenItem(notice, false), spokenItem({ ...notice, asked: '+x' }, false)]).toEqual(['May it run?', ''])
})

test('what a person has typed is not said again, unless it is from an earlier session', () => {
  const said = { kind: 'user', id: 'm', text: 'Hi.', done: true } as const
  expect([spokenItem(said, false), spokenItem(said, true)]).toEqual(['', 'You: Hi.'])
})

test.each([
  { before: {}, now: { running: true }, said: 'Working.' },
  { before: { running: true }, now: {}, said: 'Done. Say something, or /help.' },
  { before: { running: true }, now: { running: true, activity: 'shell' }, said: 'Now: shell.' },
  { before: {}, now: { hint: 'Ctrl-C again leaves.' }, said: 'Ctrl-C again leaves.' },
  {
    before: { running: true },
    now: { running: true, view: { ...emptyView, queued: [{ turnId: 't', text: 'and this' }] } },
    said: 'It is said after the current step.',
  },
  { before: { running: true }, now: { running: true, queue: ['later'] }, said: 'It is said after this turn.' },
  { before: {}, now: {}, said: '' },
])('from $before to $now it says: $said', ({ before, now, said }) => {
  expect(spokenChange({ ...emptyChatState, ...before }, { ...emptyChatState, ...now })).toBe(said)
})
