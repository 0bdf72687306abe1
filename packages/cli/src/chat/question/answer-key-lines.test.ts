import { expect, test } from 'vitest'
import type { Question } from '../transcript/question.ts'
import { answerKeyLetters, answerKeyLines, permissionKeyHelp } from './answer-key-lines.ts'

const question = (scopes: readonly string[], kind: Question['kind'] = 'permission'): Question => ({
  deniable: scopes.length > 1,
  id: 'r1',
  kind,
  title: '',
  body: '',
  scopes,
})
const all = ['once', 'conversation', 'project', 'always']

test.each([
  { scopes: all, width: 80, says: 'yes  y or Enter once · Y conversation · p project · a always' },
  { scopes: all, width: 80, says: 'no   Esc · n with a reason · N conversation · e edit · ? help' },
  { scopes: ['once'], width: 80, says: 'yes  y or Enter once\nno   Esc · n with a reason · e edit · ? help' },
  {
    scopes: all,
    width: 39,
    says: 'y/Enter once · Y here\np project · a always\nn/Esc no · N never here\ne edit · ? help',
  },
  { scopes: ['once'], width: 39, says: 'y/Enter once\nn/Esc no\ne edit · ? help' },
])('of $scopes the keys are shown in $width columns', ({ scopes, width, says }) => {
  expect(answerKeyLines(question(scopes), width).join('\n')).toContain(says)
})

test.each([
  { kind: 'permission', scopes: all, letters: 'y Y p a · n N · e · ? help' },
  { kind: 'permission', scopes: ['once'], letters: 'y · n · e · ? help' },
  { kind: 'outcome', scopes: [], letters: 'y happened · r run it · s stop' },
  { kind: 'yes-no', scopes: [], letters: 'y yes · n no' },
  { kind: 'text', scopes: [], letters: 'Enter answers' },
  { kind: 'back', scopes: [], letters: 'c conversation · b both · f files' },
] as const)('a low screen has the letters $letters for a $kind question', ({ kind, scopes, letters }) => {
  expect(answerKeyLetters(question(scopes, kind))).toBe(letters)
})

test.each([
  { kind: 'permission', own: false, says: 'Enter no, with this as the reason', low: 'Enter no · Ctrl-U clears' },
  { kind: 'yes-no', own: true, says: 'Enter no', low: 'Enter no · Ctrl-U clears' },
  { kind: 'plan', own: false, says: 'Enter no: this is to be changed', low: 'Enter no · Ctrl-U clears' },
  {
    kind: 'outcome',
    own: false,
    says: 'Ctrl-U clears the line: a key answers this',
    low: 'Ctrl-U clears the line',
  },
  { kind: 'text', own: false, says: 'Enter answers · Esc leaves it open', low: 'Enter answers' },
] as const)('while a text is in the input a $kind question says: $says', ({ kind, own, says, low }) => {
  const typed = { ...question(all, kind), own, typed: true }
  expect(answerKeyLines(typed, 80)[0]).toBe(says)
  expect(answerKeyLetters(typed)).toBe(low)
})

test.each([39, 80])('at the question what goes back the keys name the conversation first, in %i columns', width => {
  const lines = answerKeyLines(question([], 'back'), width)
  expect(lines.join('\n')).toMatch(/^Enter.*c (only the )?conversation[\s\S]*b .*[\s\S]*f .*files · Esc/)
  expect(lines.every(({ length }) => length <= width)).toBe(true)
})

test.each([
  { scopes: all, width: 80, says: 'Y  yes, in this conversation   p  in this project   a  always: you are shown' },
  { scopes: all, width: 39, says: 'Y  yes, conversation\np  project · a  always\nn ' },
  { scopes: ['once', 'conversation'], width: 80, says: 'Y  yes, in this conversation: you are shown' },
  { scopes: ['once'], width: 80, says: 'this call\nn  no, with a reason\ne ' },
  { scopes: ['once'], width: 39, says: 'once\nn  no, with a reason\ne ' },
])('the help of a question with $scopes names only what it offers, in $width columns', ({ scopes, width, says }) => {
  expect(permissionKeyHelp(question(scopes), width).join('\n')).toContain(says)
})
