import { expect, test } from 'vitest'
import { type Words, wordDiff } from './word-diff.ts'

const shown = (words: readonly Words[]) => words.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('')

test.each([
  { a: 'leave at eight', b: 'leave at nine', left: 'leave at [eight]', right: 'leave at [nine]' },
  { a: 'a b c', b: 'a c', left: 'a [b ]c', right: 'a c' },
  {
    a: 'by sea, then home',
    b: 'by train, then far home',
    left: 'by [sea], then home',
    right: 'by [train], then[ far] home',
  },
  { a: '', b: 'all new', left: '', right: '[all new]' },
  { a: 'same', b: 'same', left: 'same', right: 'same' },
])('"$a" and "$b"', ({ a, b, left, right }) => {
  const diff = wordDiff(a, b)
  expect([shown(diff.left), shown(diff.right)]).toEqual([left, right])
})

test('long texts without much in common are told apart as a whole, and none of their words is lost', () => {
  const [a, b] = ['one two '.repeat(3000), 'three four '.repeat(3000)]
  const diff = wordDiff(a, b)
  expect(diff.left.map(({ text }) => text).join('')).toBe(a)
  expect(diff.right.map(({ text }) => text).join('')).toBe(b)
})
