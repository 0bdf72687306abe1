import type { Message } from 'turnbuckle'
import { checkHistory } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const user: Message = { id: 'u', role: 'user', content: [{ type: 'text', text: 'Hi' }] }
const calling = (...ids: string[]): Message => ({
  id: `a-${ids}`,
  role: 'assistant',
  content: ids.map(id => ({ type: 'call', id, name: 'look', args: {} })),
})
const result = (id: string, name = 'look'): Message => ({
  id: `r-${id}`,
  role: 'tool',
  content: [{ type: 'result', id, name, status: 'ok', value: 1 }],
})
const text = (id: string, value = 'Done'): Message => ({
  id,
  role: 'assistant',
  content: [{ type: 'text', text: value }],
})

test('a history with every call answered in order is valid', () => {
  expect(checkHistory([user, calling('1', '2'), result('1'), result('2'), text('t')])).toEqual([])
})

test('a call that the provider ran itself needs no result of ours', () => {
  const both: Message = { ...calling('1'), content: [...calling('1').content, ...result('1').content] }
  expect(checkHistory([user, both, text('t')])).toEqual([])
})

test.each([
  { what: 'a call without a result', history: [user, calling('1')], problem: /"1" has no result/ },
  { what: 'a result too late', history: [calling('1'), user, result('1')], problem: /"1" has no result/ },
  { what: 'a result for nothing', history: [user, result('1')], problem: /answers no call/ },
  {
    what: 'two results',
    history: [calling('1'), result('1'), { ...result('1'), id: 'x' }],
    problem: /answers no call/,
  },
  { what: 'wrong order', history: [calling('1', '2'), result('2'), result('1')], problem: /where that of "1" belongs/ },
  { what: 'another name', history: [calling('1'), result('1', 'other')], problem: /is of other/ },
  { what: 'one id twice', history: [user, user], problem: /two messages have the id "u"/ },
  {
    what: 'one call id twice',
    history: [calling('1'), result('1'), { ...calling('1'), id: 'b' }, { ...result('1'), id: 'c' }],
    problem: /two calls have the id "1"/,
  },
  { what: 'an empty message', history: [{ ...user, content: [] }], problem: /"u" is empty/ },
  { what: 'an empty text', history: [text('t', '')], problem: /empty text/ },
  { what: 'no id', history: [{ ...user, id: '' }], problem: /has no id/ },
  { what: 'an unknown role', history: [{ ...user, role: 'robot' as 'user' }], problem: /unknown role "robot"/ },
  { what: "a user's call", history: [{ ...calling('1'), role: 'user' as const }], problem: /makes a call/ },
  { what: "a tool's text", history: [{ ...user, role: 'tool' as const }], problem: /but has a part text/ },
])('$what is found', ({ history, problem }) => {
  expect(checkHistory(history).join('\n')).toMatch(problem)
})
