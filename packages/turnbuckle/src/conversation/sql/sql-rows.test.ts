import { expect, test } from 'vitest'
import type { LogRecord } from '../stores/driver.ts'
import { contiguous, conversationRow, json, logRecord, nodeRow } from './sql-rows.ts'

const conversation = {
  id: 'c',
  title: null,
  owner: 'ann',
  head: null,
  seq: '3',
  n: 4,
  created_at: 1,
  updated_at: 2,
  input_tokens: 10,
  output_tokens: '20',
  cost: null,
}
const node = {
  id: 'm',
  parent: null,
  depth: 1,
  turn: 't',
  at: 5,
  message: '{"id":"m","role":"user","content":[]}',
  usage: null,
  state: '{"x":1}',
  hidden: 1,
}
const record = { n: 2, seq: null, turn: null, type: 'note.turn', body: '{"guards":[]}' }
const damaged = expect.objectContaining({ code: 'store.damaged', kind: 'store' })

test('a conversation without a known cost has none; numbers that come as text are numbers', () => {
  expect(conversationRow(conversation)).toEqual({
    id: 'c',
    title: undefined,
    owner: 'ann',
    head: undefined,
    seq: 3,
    n: 4,
    createdAt: 1,
    updatedAt: 2,
    usage: { inputTokens: 10, outputTokens: 20 },
  })
  expect(conversationRow({ ...conversation, cost: '0.5' }).usage.cost).toBe(0.5)
})

test('a message has its parts as values', () => {
  expect(nodeRow(node)).toMatchObject({ parent: undefined, usage: undefined, state: { x: 1 }, hidden: true })
})

test('a private note has no sequence number', () => {
  expect(logRecord(record)).toEqual({ n: 2, seq: undefined, turn: undefined, type: 'note.turn', body: { guards: [] } })
})

test.each([
  { what: 'a value that is no JSON', read: () => json('{') },
  { what: 'a conversation without an id', read: () => conversationRow({ ...conversation, id: null }) },
  { what: 'the message of another row', read: () => nodeRow({ ...node, id: 'other' }) },
  { what: 'a message without content', read: () => nodeRow({ ...node, message: '{"id":"m"}' }) },
  { what: 'a record without a type', read: () => logRecord({ ...record, type: null }) },
  { what: 'a record whose body is a number', read: () => logRecord({ ...record, body: '1' }) },
])('$what is damage, and says so', ({ read }) => {
  expect(read).toThrow(damaged)
})

const events = (...numbers: number[]): LogRecord[] =>
  numbers.map(seq => ({ n: seq, seq, turn: undefined, type: 'e', body: {} }))

test.each([
  { what: 'all of them', found: [3, 4, 5], last: 5, missing: undefined },
  { what: 'more than there were when the last number was read', found: [3, 4, 5, 6], last: 5, missing: undefined },
  { what: 'none, where there are none', found: [], last: 2, missing: undefined },
  { what: 'a gap', found: [3, 5], last: 5, missing: 4 },
  { what: 'a missing first one', found: [4, 5], last: 5, missing: 3 },
  { what: 'a missing last one', found: [3, 4], last: 5, missing: 5 },
])('events after number 2, $what: event $missing is missing', ({ found, last, missing }) => {
  const read = () => contiguous(events(...found), 2, last)
  if (missing === undefined) expect(read().map(({ seq }) => seq)).toEqual(found)
  else expect(read).toThrow(`Event ${missing} is missing.`)
})
