import type { Message } from 'turnbuckle'
import { expect, test } from 'vitest'
import { messageLine, messageText } from './message-text.ts'
import { besides } from './own-words.ts'

const message = (content: Message['content'], more: Partial<Message> = {}): Message =>
  ({ id: 'm', role: 'assistant', content, ...more }) as Message

test('every kind of part has its line', () => {
  const content = [
    { type: 'text', text: 'hello' },
    { type: 'reasoning', text: 'hm' },
    { type: 'call', id: 'c', name: 'add', args: { a: 1 } },
    { type: 'result', id: 'c', name: 'add', status: 'ok', value: 2 },
    { type: 'file', mediaType: 'image/png', data: '' },
    { type: 'source', url: 'https://a.b' },
  ] as unknown as Message['content']
  expect(messageText(message(content)).split('\n')).toEqual([
    'Assistant:',
    'hello',
    '(thought: hm)',
    '→ add {"a":1}',
    '← add ok: 2',
    '[file image/png]',
    '[source https://a.b]',
  ])
})

test('a reply that was interrupted says so', () => {
  expect(messageText(message([{ type: 'text', text: 'ha' }], { interrupted: true }))).toBe(
    'Assistant (interrupted):\nha',
  )
})

test('one line leaves reasoning out and is cut to its width', () => {
  const content = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'a long text\nin two lines' },
  ] as unknown as Message['content']
  expect(messageLine(message(content), 21)).toBe('Assistant: a long te…')
})

test.each([
  { args: { command: 'ls -la', cwd: '/' }, shown: 'Assistant: Now. → tool ls -la' },
  { args: { path: 'a.ts', content: 'x' }, shown: 'Assistant: Now. → tool a.ts' },
  { args: { pattern: 'TODO', path: 'src' }, shown: 'Assistant: Now. → tool TODO in src' },
])('one line has the argument of a call that matters: $shown', ({ args, shown }) => {
  const content: Message['content'] = [
    { type: 'text', text: 'Now.' },
    { type: 'call', id: 'c', name: 'tool', args },
  ]
  expect(messageLine(message(content), 80)).toBe(shown)
})

test('in one line a message of a person is their words, without the output of a command that went with it', () => {
  const said = { id: 'm', role: 'user', content: [{ type: 'text', text: 'Why?' }, besides('I ran ls: noise')] } as const
  expect(messageLine(said, 80)).toBe('You: Why?')
})
