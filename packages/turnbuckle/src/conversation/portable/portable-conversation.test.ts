import { expect, test } from 'vitest'
import { readPortable } from './portable-conversation.ts'

const node = {
  id: 'u',
  at: 1,
  turn: 't',
  message: { id: 'u', role: 'user', content: [{ type: 'text', text: 'Go.', meta: { any: [1] } }] },
  usage: { inputTokens: 1, outputTokens: 2, cost: 0.5 },
}
const file = { format: 'turnbuckle', version: 1, id: 'c', title: 'Trip', head: 'u', nodes: [node] }

test('a file with every member is read as it is', () => {
  expect(readPortable(file)).toBe(file)
})

test.each([
  { what: 'a list', given: [], says: 'the file is not an object' },
  { what: 'a file without an id', given: { ...file, id: undefined }, says: 'the file.id is missing' },
  { what: 'nodes that are no list', given: { ...file, nodes: {} }, says: 'the file.nodes is not a list' },
  {
    what: 'a time that is no number',
    given: { ...file, nodes: [{ ...node, at: 'now' }] },
    says: 'the file.nodes[0].at is not a number',
  },
  {
    what: 'a message with another id inside',
    given: { ...file, nodes: [{ ...node, message: { ...node.message, id: 'x' } }] },
    says: 'the message "u" has another id inside: "x"',
  },
  {
    what: 'an interrupted that is neither true nor false',
    given: { ...file, nodes: [{ ...node, message: { ...node.message, interrupted: 1 } }] },
    says: 'the file.nodes[0].message.interrupted is neither true nor false',
  },
])('$what is refused with where and why', ({ given, says }) => {
  expect(() => readPortable(given)).toThrow(
    expect.objectContaining({ code: 'import.invalid', message: expect.stringContaining(says) }),
  )
})
