import { beforeAll, expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import { loadMarkdown } from '../markdown/render-markdown.ts'
import type { ReplyItem, TranscriptItem } from '../transcript/transcript-item.ts'
import { itemLines } from './item-lines.ts'

useNoColours()
beforeAll(loadMarkdown)

const view = { width: 30, height: 4, now: 0, settled: true, unfolded: false }
const reply = (more: Partial<ReplyItem>): ReplyItem => ({
  kind: 'reply',
  id: 'm',
  text: '',
  reasoning: '',
  done: true,
  ...more,
})
const lines = (item: TranscriptItem, changed: Partial<typeof view> = {}) =>
  itemLines(item, { ...view, ...changed }).map(line => line.trimEnd())

test('what a person said goes on below its own words', () => {
  const text = 'one two three four five six seven'
  expect(lines({ kind: 'user', id: 'u', text, done: true })).toEqual(['', '❯ one two three four five six', '  seven'])
})

test('of a long message of a person the beginning is shown, and all of it unfolded', () => {
  const text = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n')
  const said = { kind: 'user', id: 'u', text, done: true } as const
  expect(lines(said).slice(19)).toEqual(['  line 18', '  line 19', '  … 10 more lines (Ctrl-O)'])
  expect(lines(said, { unfolded: true })).toHaveLength(31)
})

test('a notice that is the whole of a question has its changes below', () => {
  const notice = { kind: 'notice', id: 'n', text: 'May it run?', tone: 'plain', done: true, asked: '-a\n+b' } as const
  expect(lines(notice)).toEqual(['', 'May it run?', '  -a', '  +b'])
})

test('a reply is drawn as Markdown, and says where it was cut', () => {
  expect(lines(reply({ text: '- one' }))).toEqual(['', '• one'])
  expect(lines(reply({ text: 'Hal', cut: 'interrupted' }))).toEqual(['', 'Hal', '… interrupted'])
})

test('an empty reply has no line, not even a blank one', () => {
  expect(lines(reply({}))).toEqual([])
})

test('thoughts are folded into a count of their words, or shown', () => {
  const thinking = reply({ reasoning: 'one two\nthree', text: 'So.' })
  expect(lines(thinking)).toEqual(['', '▸ thought, 3 words', 'So.'])
  expect(lines(thinking, { unfolded: true })).toEqual(['', '▾ thought, 3 words', '  one two', '  three', 'So.'])
})

test('the rest of a reply does not tell its thoughts again', () => {
  expect(lines(reply({ reasoning: 'one', text: 'rest', goesOn: true }))).toEqual(['', 'rest'])
})

test('a rest that begins inside of a block has no blank line above it', () => {
  expect(lines(reply({ text: 'rest', goesOn: true, isInBlock: true }))).toEqual(['rest'])
})

test('thoughts that still grow take no more rows than words that do', () => {
  const reasoning = Array.from({ length: 30 }, (_, i) => `thought ${i}`).join('\n')
  const growing = lines(reply({ reasoning, text: 'So.', done: false }), { unfolded: true, height: 50 })
  expect(growing).toHaveLength(11)
  expect(growing.slice(-2)).toEqual(['  thought 29', 'So.'])
})

test('of a reply that still grows the end is shown, as much as there is room for', () => {
  const text = Array.from({ length: 9 }, (_, i) => `line ${i}  `).join('\n')
  const growing = lines(reply({ text, done: false }))
  expect(growing.length).toBeLessThanOrEqual(view.height + 1)
  expect(growing.at(-1)).toBe('line 8')
  expect(lines(reply({ text }))).toHaveLength(10)
})
