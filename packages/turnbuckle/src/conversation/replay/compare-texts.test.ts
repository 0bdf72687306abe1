import { expect, test } from 'vitest'
import type { Message, Part } from '../../core/base/message.ts'
import { compareTexts } from './compare-texts.ts'

const said = (text: string): Message => ({ id: text, role: 'assistant', content: [{ type: 'text', text }] })
const list = (texts: string) => [...texts].map(said)

test.each<{
  name: string
  had: string
  now: string
  cut?: boolean
  gives: readonly (readonly (string | undefined)[])[]
}>([
  { name: 'nothing differs', had: 'ab', now: 'ab', gives: [] },
  { name: 'a text differs', had: 'abc', now: 'axc', gives: [['b', 'x']] },
  { name: 'one was put in', had: 'ac', now: 'abc', gives: [[undefined, 'b']] },
  { name: 'one is missing', had: 'abc', now: 'ac', gives: [['b', undefined]] },
  { name: 'the replay was cut', had: 'abc', now: 'a', cut: true, gives: [] },
  { name: 'it was cut behind a difference', had: 'abc', now: 'xb', cut: true, gives: [['a', 'x']] },
  { name: 'it was cut behind one that was put in', had: 'a', now: 'ab', cut: true, gives: [[undefined, 'b']] },
])('$name', ({ had, now, cut = false, gives }) => {
  const found = compareTexts(list(had), list(now), cut)
  expect(found.map(({ before, after }) => [before, after])).toEqual(gives)
})

test('calls, results, files and sources are lines of text', () => {
  const content: Part[] = [
    { type: 'text', text: 'See.' },
    { type: 'call', id: 'x', name: 'look', args: { b: 1, a: 2 } },
    { type: 'result', id: 'x', name: 'look', status: 'ok', value: { found: true } },
    { type: 'file', mediaType: 'image/png', data: '' },
    { type: 'source', url: 'https://example.com' },
  ]
  const [difference] = compareTexts([], [{ id: 'm', role: 'assistant', content }], false)
  expect(difference?.after?.split('\n')).toEqual([
    'See.',
    'call look {"a":2,"b":1}',
    'result look (ok) {"found":true}',
    'file image/png',
    'source https://example.com',
  ])
})
