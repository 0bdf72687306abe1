import { expect, test } from 'vitest'
import { takeFootnotes } from './take-footnotes.ts'

test('references become links to numbered notes, in the order of the text; notes leave the text', () => {
  const { text, notes } = takeFootnotes(
    'One[^b], two[^a], again[^b].\n\n[^a]: First\n    and more\n[^b]: Second',
    false,
  )
  expect(text.trim()).toBe('One[1](#note-1), two[2](#note-2), again[1](#note-1).')
  expect(notes).toEqual([
    { number: 1, text: 'Second' },
    { number: 2, text: 'First\nand more' },
  ])
})

test.each([
  { name: 'a reference without a note', text: 'a[^1]' },
  { name: 'code', text: 'a `[^1]`\n\n```\n[^1]: no note\n```' },
])('$name stays as it is', ({ text }) => {
  expect(takeFootnotes(text, false)).toEqual({ text, notes: [] })
})

test('while a message is written, a reference stands for the note that is still to come', () => {
  expect(takeFootnotes('a[^1]', true)).toEqual({ text: 'a[1](#note-1)', notes: [] })
})
