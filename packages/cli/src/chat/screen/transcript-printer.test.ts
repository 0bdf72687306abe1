import { stripVTControlCharacters } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import { loadMarkdown } from '../markdown/render-markdown.ts'
import { type ChatState, emptyChatState } from '../transcript/chat-state.ts'
import type { ReplyItem, TranscriptItem } from '../transcript/transcript-item.ts'
import { TranscriptPrinter } from './transcript-printer.ts'

useNoColours()
beforeAll(loadMarkdown)

const room = { width: 60, rows: 10 }
const said = (id: string, text: string): TranscriptItem => ({ kind: 'user', id, text, done: true })
const reply = (text: string, done: boolean): ReplyItem => ({ kind: 'reply', id: 'm', text, reasoning: '', done })
const printer = () => new TranscriptPrinter(() => {}, undefined)
const take = (from: TranscriptPrinter, changes: Partial<ChatState>) =>
  from.take({ ...emptyChatState, ...changes }, room).map(line => (typeof line === 'string' ? line.trimEnd() : line))

test('each finished item is printed once', () => {
  const printing = printer()
  const past = [said('a', 'one')]
  expect(take(printing, { past })).toEqual(['', '❯ one'])
  expect(take(printing, { past })).toEqual([])
  expect(take(printing, { past: [...past, said('b', 'two')] })).toEqual(['', '❯ two'])
})

test('a growing reply gives its finished blocks, and its end only what is left', () => {
  const printing = printer()
  take(printing, {})
  expect(take(printing, { live: [reply('First.\n\nSec', false)] })).toEqual(['', 'First.'])
  expect(printing.rest(reply('First.\n\nSec', false))).toMatchObject({ text: 'Sec', goesOn: true })
  expect(take(printing, { past: [reply('First.\n\nSecond.', true)] })).toEqual(['', 'Second.'])
})

test('another epoch prints the transcript again', () => {
  const printing = printer()
  const past = [said('a', 'one')]
  take(printing, { past })
  expect(printing.isNewEpoch({ ...emptyChatState, epoch: 1 })).toBe(true)
  expect(take(printing, { past, epoch: 1 })).toEqual(['', '❯ one'])
})

test('of a long transcript the last screen is printed, and how to see the rest', () => {
  const past = Array.from({ length: 100 }, (_, i) => said(`${i}`, `message ${i}`))
  const lines = take(printer(), { past })
  expect(lines.join('\n')).toContain('Ctrl-O shows it')
  expect(lines.at(-1)).toBe('❯ message 99')
  expect(lines.length).toBeLessThan(20)
})

test('items that a resumed turn tells again are not printed twice', () => {
  const printing = printer()
  const past = [said('a', 'one'), said('b', 'two')]
  take(printing, { past })
  take(printing, { past: [] })
  expect(take(printing, { past: [...past, said('c', 'three')] })).toEqual(['', '❯ three'])
})

/** A line without its links, and the space before its end. */
const shown = (line: unknown) => stripVTControlCharacters(String(line)).trimEnd()

const long = {
  paragraph: 'Some words with **weight**, `code` and [a link](https://a.example) in them. '.repeat(8),
  list: Array.from({ length: 40 }, (_, i) => `${i + 11}. item ${i}\n`).join(''),
  emphasis: `**${'Words of weight, with *more* in them. '.repeat(20)}end.**`,
  'nested list': `- top\n${Array.from({ length: 40 }, (_, i) => `${i % 3 ? '  ' : ''}  - item ${i}\n`).join('')}`,
  item: `1. first\n2. ${'Words of an item that has many of them. '.repeat(20)}\n3. third`,
  'item with code': `1. first\n\n   \`\`\`sh\n${'   echo words\n'.repeat(30)}   \`\`\`\n\n2. second`,
  'quoted paragraph': `> ${'Words of a quote that has many of them. '.repeat(20)}`,
  comment: `\`\`\`ts\n/*\n${' * words\n'.repeat(40)} */\nconst a = 1\n\`\`\`\n`,
  quote: Array.from({ length: 40 }, (_, i) => `> - item ${i}\n`).join(''),
  code: `\`\`\`ts\n${Array.from({ length: 40 }, (_, i) => `const a${i} = '${i}'\n\n/* more\n lines */\n`).join('')}\`\`\`\n`,
  table: `| a | b |\n|---|---|\n${Array.from({ length: 40 }, (_, i) => `| ${i + 10} | b |\n`).join('')}`,
}

test.each(Object.entries(long))('a long %s that grows is printed as it is when it is whole', (_, block) => {
  const text = `Before.\n\n${block}\n\nAfter.`
  const whole = take(printer(), { past: [reply(text, true)] })
  for (const step of [1, 7, 50]) {
    const printing = printer()
    const lines = take(printing, {})
    for (let at = step; at < text.length; at += step)
      lines.push(...take(printing, { live: [reply(text.slice(0, at), false)] }))
    lines.push(...take(printing, { past: [reply(text, true)] }))
    expect(lines.map(shown)).toEqual(whole.map(shown))
  }
})

test('lines of a long block are printed while it is written, and the rest in the width of then', () => {
  const printing = printer()
  const words = Array.from({ length: 200 }, (_, i) => `word${i}`)
  const state = (count: number) => ({ ...emptyChatState, live: [reply(words.slice(0, count).join(' '), false)] })
  const before = printing.take(state(150), room)
  expect(before.length).toBeGreaterThan(10)
  const after = [
    ...printing.take(state(190), { width: 30, rows: 10 }),
    ...printing.take({ ...emptyChatState, past: [reply(words.join(' '), true)] }, { width: 30, rows: 10 }),
  ]
  expect(after.every(line => String(line).length <= 30)).toBe(true)
  expect([...before, ...after].join(' ').trim().split(/\s+/)).toEqual(words)
})
