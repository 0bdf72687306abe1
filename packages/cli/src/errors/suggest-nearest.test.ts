import { expect, test } from 'vitest'
import { suggestNearest } from './suggest-nearest.ts'

const known = ['model', 'tools', 'store']

test.each([
  { word: 'modle', says: 'Did you mean "model"?' },
  { word: 'STORE', says: 'Did you mean "store"?' },
  { word: 'permissions', says: 'Known: model, tools, store.' },
])('for $word: $says', ({ word, says }) => {
  expect(suggestNearest(word, known)).toBe(says)
})
