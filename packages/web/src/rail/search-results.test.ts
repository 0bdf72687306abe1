import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { FoundMessages, SearchResults } from './search-results.tsx'

test('until the server has answered it says that it searches', () => {
  expect(draw(SearchResults, { query: 'tide' })).toBe('<p class="rail-note">Searching …</p>')
})

test('a found message is a link to its conversation', () => {
  const hits = [{ conversationId: 'c 1', messageId: 'm', title: 'Sea', excerpt: 'The tide turns.' }] as never
  const html = draw(FoundMessages, { hits, query: 'tide' })
  expect(html).toMatch(/<a class="conversation" href="\/c\/c%201">.*The <mark>tide<\/mark> turns\./)
})
