import { expect, test } from 'vitest'
import { wordDiff } from './word-diff.ts'

const shown = (words: readonly string[], changed: ReadonlySet<number>) =>
  words.map((word, i) => (changed.has(i) ? `[${word}]` : word)).join(' ')
const wordsOf = (text: string) => text.split(' ').filter(Boolean)

test.each([
  { a: 'leave at eight', b: 'leave at nine', left: 'leave at [eight]', right: 'leave at [nine]' },
  { a: 'a b c', b: 'a c', left: 'a [b] c', right: 'a c' },
  { a: 'by sea home', b: 'by train far home', left: 'by [sea] home', right: 'by [train] [far] home' },
  { a: '', b: 'all new', left: '', right: '[all] [new]' },
  { a: 'same', b: 'same', left: 'same', right: 'same' },
])('"$a" and "$b"', ({ a, b, left, right }) => {
  const diff = wordDiff(wordsOf(a), wordsOf(b))
  expect([shown(wordsOf(a), diff.left), shown(wordsOf(b), diff.right)]).toEqual([left, right])
})

test('long texts without much in common are told apart as a whole', () => {
  const [a, b] = [wordsOf('one two '.repeat(3000)), wordsOf('three four '.repeat(3000))]
  expect([wordDiff(a, b).left.size, wordDiff(a, b).right.size]).toEqual([6000, 6000])
})
