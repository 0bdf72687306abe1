import { expect, test } from 'vitest'
import { cutAnswer } from './cut-answer.ts'

const cut = (head: string, tail: string) => {
  const line = cutAnswer(head, tail, 9_000_000)
  return line === undefined ? undefined : JSON.parse(line)
}
const note = { type: 'text', text: '[cut: the server answered with 9,000,000 bytes, the beginning is kept]' }

test.each([
  {
    name: 'the id first',
    head: '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"a',
    tail: 'a"}]}}\n',
  },
  {
    name: 'the id last',
    head: '{"result":{"content":[{"type":"text","text":"a',
    tail: 'a"}]},"jsonrpc":"2.0","id":7}\n',
  },
  { name: 'the text before its type', head: '{"id":7,"result":{"content":[{"text":"a', tail: '"}]}}' },
  { name: 'half an escape', head: '{"id":7,"result":{"content":[{"text":"a\\u00', tail: '"}]}}' },
  { name: 'half a character', head: '{"id":7,"result":{"content":[{"text":"a\ufffd', tail: '"}]}}' },
])('keeps the beginning of a result with $name', ({ head, tail }) => {
  expect(cut(head, tail)).toEqual({ jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text', text: 'a' }, note] } })
})

test('an id in a text is not the id of the message', () => {
  expect(cut('{"result":{"content":[{"text":"\\"id\\":1', '\\"id\\":2}"}]},"id":"x"}')).toMatchObject({ id: 'x' })
})

test('an error stays one', () => {
  const { result } = cut('{"id":7,"result":{"content":[{"text":"no', '"}],"isError":true}}')
  expect(result).toMatchObject({ isError: true, content: [{ text: 'no' }, note] })
})

test('data that is no text is kept as it stands', () => {
  const head = '{"id":7,"result":{"structuredContent":{"rows":[1,2'
  expect(cut(head, '3]}}}').result.content).toEqual([{ type: 'text', text: head }, note])
})

test('another answer that is too long is an error of its request, and what answers none is dropped', () => {
  expect(cut('{"id":"a","result":{"tools":[{"name":"x', '"}]}}')).toMatchObject({ id: 'a', error: { code: -32000 } })
  expect(cut('{"method":"notifications/message","params":{"data":"x', '"}}')).toBeUndefined()
})
