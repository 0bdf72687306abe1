import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { SearchResults } from './search-results.tsx'

test('until the server has answered it says that it searches', () => {
  expect(draw(SearchResults, { query: 'tide' })).toBe('<p class="rail-note">Searching …</p>')
})
