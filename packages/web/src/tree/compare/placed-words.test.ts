import { expect, test } from 'vitest'
import { type PlacedWord, runsOf } from './placed-words.ts'

const [first, second] = [{ data: 'go by sea' }, { data: 'home' }] as unknown as [Text, Text]
const words: readonly PlacedWord[] = [
  { word: 'go', node: first, start: 0 },
  { word: 'by', node: first, start: 3 },
  { word: 'sea', node: first, start: 6 },
  { word: 'home', node: second, start: 0 },
]

test.each([
  { chosen: [], are: [] },
  { chosen: [0, 2], are: ['go', 'sea'] },
  { chosen: [1, 2, 3], are: ['by sea', 'home'] },
])('words $chosen are the runs $are', ({ chosen, are }) => {
  const runs = runsOf(words, new Set(chosen))
  expect(runs.map(({ node, start, end }) => node.data.slice(start, end))).toEqual(are)
})
