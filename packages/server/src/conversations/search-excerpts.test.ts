import { expect, test } from 'vitest'
import { searchExcerpts } from './search-excerpts.ts'

function excerpts(texts: readonly string[], query: string): string[] {
  const nodes = texts.map((text, i) => {
    const message = { id: `m${i}`, role: 'user', content: [{ type: 'text', text }] } as const
    return { id: message.id, parentId: null, turnId: null, message, createdAt: i }
  })
  const view = { id: 'c', title: '', head: null, seq: 0, at: 0, nodes, turns: [], requests: [], calls: [] }
  return searchExcerpts(view, query).map(({ excerpt }) => excerpt)
}
const words = (word: string, count: number) => Array<string>(count).fill(word).join(' ')

test.each([
  { what: 'a short text, whole', text: 'Buy bread today', is: 'Buy bread today' },
  {
    what: 'whole words of a long one',
    text: `${words('before', 20)} bread ${words('after', 40)}`,
    is: `… ${words('before', 8)} bread ${words('after', 16)} …`,
  },
  {
    what: 'a word without end',
    text: `${'x'.repeat(100)}bread${'y'.repeat(200)}`,
    is: `… ${'x'.repeat(60)}bread${'y'.repeat(100)} …`,
  },
  {
    what: 'of whole characters',
    text: `${'😀'.repeat(40)}xbread${'😀'.repeat(60)}x`,
    is: `… ${'😀'.repeat(29)}xbread${'😀'.repeat(50)} …`,
  },
  { what: 'nothing of another', text: 'cake', is: undefined },
])('an excerpt is $what', ({ text, is }) => {
  expect(excerpts([text], 'BREAD')[0]).toBe(is)
})

test('a conversation gives its ten newest messages, so that others are found too', () => {
  const texts = Array.from({ length: 60 }, (_, i) => `bread ${i}`)
  expect(excerpts(texts, 'bread')).toEqual(texts.slice(50))
})
