import { expect, test } from 'vitest'
import type { LogRecord } from '../../core/durable/log-port.ts'
import { growPartialReply, isPartialReply, withoutPartialReply } from './partial-reply.ts'

const partial = (messageId: string, text: string, reasoning = false) => {
  const record: LogRecord = { seq: undefined, turn: 't', type: 'note.sketch', body: { messageId, text, reasoning } }
  if (!isPartialReply(record)) throw new Error('That is a partial reply.')
  return record
}
const other: LogRecord = { seq: 1, turn: 't', type: 'tool.progress', body: {} }

test('text of a reply is added to its record that waits, whatever came between', () => {
  const waiting = [partial('a', 'Hel'), other]
  expect(growPartialReply(waiting, partial('a', 'lo'))).toBe(true)
  expect(waiting).toEqual([partial('a', 'Hello'), other])
})

test.each([
  { what: 'another reply', more: partial('b', 'x') },
  { what: 'the reasoning of the same reply', more: partial('a', 'x', true) },
])('text of $what is a record of its own', ({ more }) => {
  expect(growPartialReply([partial('a', 'Hel')], more)).toBe(false)
})

test('a reply that is recorded takes its own text out, not that of another', () => {
  expect(withoutPartialReply([partial('a', 'x'), other, partial('b', 'y')], 'a')).toEqual([other, partial('b', 'y')])
})
