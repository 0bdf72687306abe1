import { expect, test } from 'vitest'
import { fuzzyRank } from './fuzzy-rank.ts'

const paths = ['src/chat/input/keyboard.ts', 'src/chat/input/key-reader.ts', 'docs/keys.md', 'README.md']
const rank = (query: string) => fuzzyRank(paths, query, path => path)

test.each([
  { query: 'keyr', first: 'src/chat/input/key-reader.ts' },
  { query: 'kb', first: 'src/chat/input/keyboard.ts' },
  { query: 'keys', first: 'docs/keys.md' },
  { query: 'readme', first: 'README.md' },
])('$query finds $first first', ({ query, first }) => expect(rank(query)[0]).toBe(first))

test('an item without one of the letters is left out; no letters leave all', () => {
  expect(rank('zzz')).toEqual([])
  expect(rank('')).toEqual(paths)
  expect(fuzzyRank(paths, '', path => path, 2)).toHaveLength(2)
})
