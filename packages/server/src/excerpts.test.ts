import { expect, test } from 'vitest'
import { excerptsIn } from './excerpts.ts'

const excerpt = (text: string, query: string): string | undefined => {
  const message = { id: 'm', role: 'user', content: [{ type: 'text', text }] } as const
  const node = { id: 'm', parentId: null, turnId: null, message, createdAt: 0 }
  const view = { id: 'c', title: '', head: null, seq: 0, at: 0, nodes: [node], turns: [], requests: [], calls: [] }
  return excerptsIn(view, query)[0]?.excerpt
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
  expect(excerpt(text, 'BREAD')).toBe(is)
})
