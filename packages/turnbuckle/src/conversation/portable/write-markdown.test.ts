import { expect, test } from 'vitest'
import type { Part } from '../../core/base/message.ts'
import { readMarkdown } from './read-markdown.ts'
import { writeMarkdown } from './write-markdown.ts'

const parts: readonly { readonly what: string; readonly part: Part; readonly written: string }[] = [
  { what: 'text', part: { type: 'text', text: 'Hi.\nYou.' }, written: 'Hi.\nYou.' },
  { what: 'text like a heading', part: { type: 'text', text: '## User' }, written: '\\## User' },
  { what: 'reasoning', part: { type: 'reasoning', text: 'a\n\nb' }, written: '> **Reasoning**\n> a\n> \n> b' },
  {
    what: 'a call',
    part: { type: 'call', id: 'call_1', name: 'note', args: { a: 1 } },
    written: 'Calls `note`:\n\n```json\n{\n  "a": 1\n}\n```',
  },
  { what: 'a file', part: { type: 'file', mediaType: 'image/png', data: 'AAEC' }, written: '[file: image/png]' },
  { what: 'a source', part: { type: 'source', title: 'Oslo' }, written: '[source: Oslo]' },
]

test.each(parts)('$what is written as Markdown', ({ part, written }) => {
  expect(writeMarkdown('Trip', [{ role: 'assistant', content: [part] }])).toBe(`# Trip\n\n## Assistant\n\n${written}\n`)
})

test('a result is fenced with more backticks than it has', () => {
  const content: Part[] = [{ type: 'result', id: 'x', name: 'note', status: 'ok', value: 'a ```` b' }]
  expect(writeMarkdown('Trip', [{ role: 'tool', content }])).toContain('`note` (ok):\n\n`````\na ```` b\n`````\n')
})

test('a title is one line, and an interrupted message says so', () => {
  const path = [{ role: 'assistant', content: [{ type: 'text', text: 'Half a' }], interrupted: true }] as const
  const markdown = writeMarkdown('A\n trip', path)
  expect(markdown).toBe('# A trip\n\n## Assistant (interrupted)\n\nHalf a\n')
  expect(readMarkdown(markdown)).toEqual({ title: 'A trip', path })
})
