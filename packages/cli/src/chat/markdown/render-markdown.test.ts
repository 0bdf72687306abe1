import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { finishedLength, loadMarkdown, renderMarkdown } from './render-markdown.ts'

afterEach(() => vi.unstubAllEnvs())
beforeAll(loadMarkdown)

const table = `| leg | leave |
|---|---|
| Jersey to *Chausey* | 08:00 |
| Chausey to St. Malo | 13:30 |`
const lines = (text: string, width: number) =>
  renderMarkdown(text, width).map(line => stripVTControlCharacters(line).trimEnd())

test('an item that is too long goes on below its own words', () => {
  expect(lines('- one two three four five six', 20)).toEqual(['• one two three four', '  five six'])
})

test('lists are nested, numbered, tight or loose as they were written; tasks have boxes', () => {
  expect(lines('1. one\n   - in it\n     - deeper\n2. two\n\ntext\n\n- a\n\n- b', 40)).toEqual([
    '1. one',
    '   • in it',
    '     • deeper',
    '2. two',
    '',
    'text',
    '',
    '• a',
    '',
    '• b',
  ])
  expect(lines('- [x] done\n- [ ] open', 40)).toEqual(['• ☑ done', '• ☐ open'])
  expect(lines('9. nine\n10. ten', 40)).toEqual([' 9. nine', '10. ten'])
})

test('a table is drawn where there is room for it, its cells wrapped; it is a list where there is not', () => {
  expect(lines(table, 60)).toContain('│ Jersey to Chausey   │ 08:00 │')
  expect(lines(table, 24)).toEqual([
    '┌──────────────┬───────┐',
    '│ leg          │ leave │',
    '├──────────────┼───────┤',
    '│ Jersey to    │ 08:00 │',
    '│ Chausey      │       │',
    '│ Chausey to   │ 13:30 │',
    '│ St. Malo     │       │',
    '└──────────────┴───────┘',
  ])
  expect(lines(table, 22)).toEqual([
    'leg: Jersey to Chausey',
    'leave: 08:00',
    '',
    'leg: Chausey to St.',
    'Malo',
    'leave: 13:30',
  ])
})

test('a link can be clicked; its address is shown where the text is another', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  const [line = ''] = renderMarkdown('see [docs](https://a.example/x) and https://b.example', 80)
  expect(line).toContain('\x1b]8;;https://a.example/x\x1b\\')
  expect(stripVTControlCharacters(line)).toBe('see docs (https://a.example/x) and https://b.example')
  expect(renderMarkdown('[x](javascript:alert)', 80).join('')).not.toContain(']8;;')
})

test('code has the colours of its language, and none where there is no such language', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  expect(renderMarkdown("```ts\nconst a = 'b'\n```", 80)).toEqual([
    "  \x1b[35mconst\x1b[39m \x1b[36ma\x1b[39m = \x1b[32m'b'\x1b[39m",
  ])
  expect(renderMarkdown('```\nconst a\n```', 80)).toEqual(['  const a'])
  expect(renderMarkdown('```klingon\nconst a\n```', 80)).toEqual(['  const a'])
})

test.each([
  { what: 'a paragraph that may go on', text: 'one\ntwo', length: 0 },
  { what: 'a paragraph and the beginning of the next', text: 'one\n\ntwo', length: 5 },
  { what: 'an open fence with blank lines in it', text: 'a\n\n```js\nb\n\nc', length: 3 },
  { what: 'a closed fence, and a word', text: '```js\nb\n```\nc', length: 12 },
  { what: 'a list', text: '- a\n- b\n', length: 0 },
])('of $what, $length characters are finished', ({ text, length }) => {
  expect(finishedLength(text)).toBe(length)
})
