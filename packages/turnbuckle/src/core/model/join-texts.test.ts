import { expect, test } from 'vitest'
import type { Part } from '../base/message.ts'
import { joinTexts } from './join-texts.ts'

const text = (words: string, meta?: unknown): Part => ({ type: 'text', text: words, ...(meta ? { meta } : {}) })
const thought = (words: string): Part => ({ type: 'reasoning', text: words })
const source: Part = { type: 'source', url: 'https://a.example' }
const call: Part = { type: 'call', id: 'c', name: 'look', args: {} }

test.each<{ what: string; given: readonly Part[]; joined: readonly Part[] }>([
  { what: 'texts in a row', given: [text('a'), text('b')], joined: [text('ab')] },
  { what: 'thoughts in a row', given: [thought('a'), thought('b'), text('c')], joined: [thought('ab'), text('c')] },
  { what: 'sources between them', given: [text('a'), source, text('b')], joined: [text('ab'), source] },
  { what: 'a call between them', given: [text('a'), call, text('b')], joined: [text('a'), call, text('b')] },
  { what: 'data of the first', given: [text('a', 1), text('b')], joined: [text('a', 1), text('b')] },
  {
    what: 'data of the second',
    given: [text('a'), text('b', 1), text('c')],
    joined: [text('a'), text('b', 1), text('c')],
  },
])('$what', ({ given, joined }) => {
  const before = structuredClone(given)
  expect(joinTexts(given)).toEqual(joined)
  expect(given).toEqual(before)
})

test('a list with nothing to join is given back itself', () => {
  const parts = [thought('a'), text('b'), source]
  expect(joinTexts(parts)).toBe(parts)
})
