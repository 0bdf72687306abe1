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
