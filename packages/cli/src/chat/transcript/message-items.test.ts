import type { Message } from 'turnbuckle'
import { expect, test } from 'vitest'
import { messageItems, pathItems } from './message-items.ts'

const path = [
  { id: 'u', role: 'user', content: [{ type: 'text', text: 'go' }] },
  {
    id: 'a',
    role: 'assistant',
    interrupted: true,
    content: [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'ok' },
      { type: 'call', id: 'c', name: 'add', args: { a: 1 } },
    ],
  },
  { id: 't', role: 'tool', content: [{ type: 'result', id: 'c', name: 'add', status: 'ok', value: 2 }] },
] as unknown as Message[]

test('a path is the messages, and each call with its arguments and result', () => {
  expect(pathItems(path)).toMatchObject([
    { kind: 'user', id: 'u', text: 'go' },
    { kind: 'reply', id: 'a', text: 'ok', reasoning: 'hm', cut: 'interrupted' },
    { kind: 'tool', id: 'c', name: 'add', args: { a: 1 }, status: 'ok', result: 2 },
  ])
  expect(pathItems(path).every(({ done }) => done)).toBe(true)
})

test('a result alone has no arguments', () => {
  expect(path.slice(2).flatMap(message => messageItems(message))).toMatchObject([{ kind: 'tool', args: undefined }])
})
