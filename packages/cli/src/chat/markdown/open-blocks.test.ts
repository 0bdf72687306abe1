import { expect, test } from 'vitest'
import { hiddenMark } from './hidden-mark.ts'
import { hiddenItems, hiddenParagraph, readBlocks } from './open-blocks.ts'

const lastOf = (source: string) => {
  const line = readBlocks(source).at(-1)
  return {
    around: line?.around.map(({ mark }) => mark),
    within: line?.within.map(({ mark }) => mark),
    fence: line?.fence,
    words: line?.paragraph === undefined ? undefined : source.slice(line.paragraph),
  }
}

test.each([
  { source: 'one\ntwo', around: [], within: [], words: 'one\ntwo' },
  { source: 'one\n\ntwo', around: [], within: [], words: 'two' },
  { source: '- one\n- two', around: [], within: ['- '], words: 'two' },
  { source: '- one\n  two', around: ['- '], within: ['- '], words: 'one\n  two' },
  { source: '- one\n  10. two', around: ['- '], within: ['- ', '10. '], words: 'two' },
  { source: '> - one\n> - two', around: ['> '], within: ['> ', '- '], words: 'two' },
  { source: '```ts\n- one', around: [], within: [], fence: '```ts' },
  { source: '- one\n\n  ```\n  two', around: ['- '], within: ['- '], fence: '```' },
  { source: '```\none\n```\ntwo', around: [], within: [], words: 'two' },
])('the last line of $source', ({ source, around, within, fence, words }) => {
  expect(lastOf(source)).toEqual({ around, within, fence, words })
})

test('items are opened again, each in a line that is not drawn', () => {
  const within = readBlocks('- top\n  1. deep').at(-1)?.within ?? []
  expect(hiddenItems(within)).toBe(`- ${hiddenMark}\n  1. ${hiddenMark}\n`)
  expect(hiddenParagraph(within)).toBe(`- ${hiddenMark}\n  1. ${hiddenMark}\\\n     `)
})

test('a quote is opened again by the line that has something in it', () => {
  const within = readBlocks('> words').at(-1)?.within ?? []
  expect(hiddenItems(within)).toBe('')
  expect(hiddenParagraph(within)).toBe(`> ${hiddenMark}\\\n> `)
})
