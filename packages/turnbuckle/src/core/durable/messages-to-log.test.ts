import type { Message } from 'turnbuckle'
import { expect, test } from 'vitest'
import { messagesFromLog, messagesToLog } from './messages-to-log.ts'

const message = (id: string): Message => ({ id, role: 'user', content: [{ type: 'text', text: id }] })
const path = ['a', 'b', 'c', 'd', 'e'].map(message)
const [a, b, c, d, e] = path as [Message, Message, Message, Message, Message]
const other = message('other')

test.each([
  { what: 'the path', messages: path, logged: undefined },
  { what: 'its end', messages: [c, d, e], logged: [[2, 5]] },
  { what: 'one put in place of another', messages: [a, b, other, d, e], logged: [[0, 2], other, [3, 5]] },
  {
    what: 'another order',
    messages: [d, e, a],
    logged: [
      [3, 5],
      [0, 1],
    ],
  },
  {
    what: 'one twice',
    messages: [a, a, b],
    logged: [
      [0, 1],
      [0, 2],
    ],
  },
  { what: 'none of it', messages: [other], logged: [other] },
  { what: 'nothing', messages: [], logged: [] },
])('$what is kept as stretches of the path and messages that are not on it', ({ messages, logged }) => {
  expect(messagesToLog(messages, path)).toEqual(logged)
  expect(messagesFromLog(messagesToLog(messages, path) ?? [[0, path.length]], path)).toEqual(messages)
})
