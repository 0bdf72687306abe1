import { expect, test } from 'vitest'
import type { Message, Part } from '../base/message.ts'
import { countTokens, estimateTokens } from './estimate-tokens.ts'

const of = (...content: Part[]): Message => ({ id: 'm', role: 'assistant', content })
const text = (length: number): Part => ({ type: 'text', text: 'x'.repeat(length) })
const file = { type: 'file', mediaType: 'image/png', data: 'A'.repeat(100_000) } as const
const result = (value: unknown): Part => ({ type: 'result', id: 'c', name: 'look', status: 'ok', value })

test.each<[string, Message, number]>([
  ['no part: 4 for the message itself', of(), 4],
  ['text: a token for 4 characters, rounded up', of(text(5)), 4 + 2],
  ['several parts: they are added before rounding', of(text(2), text(2)), 4 + 1],
  ['reasoning: as text', of({ type: 'reasoning', text: 'xxxx' }), 4 + 1],
  ['a file: 1,500, whatever its size', of(file), 4 + 1500],
  ['a source: its address and title', of({ type: 'source', url: 'xxxx', title: 'xxxx' }), 4 + 2],
  ['a call: its name and its arguments as JSON', of({ type: 'call', id: 'c', name: 'look', args: { a: 1 } }), 4 + 3],
  ['a result: its name and its text', of(result('xxxx')), 4 + 2],
  ['a result that is nothing: its name', of(result(undefined)), 4 + 1],
  ['a result that is a file: as a file', of(result(file)), 4 + 1 + 1500],
  ['a result with files among others: each by its kind', of(result([file, 'xxxx', file])), 4 + 1 + 1 + 3000],
])('%s', (_what, message, tokens) => {
  expect(countTokens(message)).toBe(tokens)
  expect(estimateTokens(message)).toBe(tokens)
})

test('an estimate is worked out once for each message', () => {
  let reads = 0
  const message: Message = {
    id: 'm',
    role: 'user',
    get content() {
      reads++
      return [text(4)]
    },
  }
  expect([estimateTokens(message), estimateTokens(message), reads]).toEqual([5, 5, 1])
  expect([countTokens(message), reads]).toEqual([5, 2])
})
