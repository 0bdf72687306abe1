import type { Message } from 'turnbuckle'
import { expect, test } from 'vitest'
import { besides } from '../../text/own-words.ts'
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
    { kind: 'reply', id: 'a', text: 'ok', reasoning: 'hm', cut: 'cut off' },
    { kind: 'tool', id: 'c', name: 'add', args: { a: 1 }, status: 'ok', result: 2 },
  ])
  expect(pathItems(path).every(({ done }) => done)).toBe(true)
})

test('the output of a command that went with a message stands below its words in one line', () => {
  const content = [{ type: 'text', text: 'why?' }, besides('I ran this command myself:\n$ ls\na.txt')] as const
  expect(messageItems({ id: 'u', role: 'user', content })).toMatchObject([
    { kind: 'user', text: 'why?\n⎘ I ran this command myself: $ ls a.txt' },
  ])
})

test('a result alone has no arguments', () => {
  expect(path.slice(2).flatMap(message => messageItems(message))).toMatchObject([{ kind: 'tool', args: undefined }])
})
