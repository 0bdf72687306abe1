import { expect, test } from 'vitest'
import { draw } from '../test/draw.ts'
import { PanelView } from './panel-view.tsx'

test.each([
  { id: 'tree', place: '<p class="loading">Loading the tree …' },
  { id: 'inspector', place: '<aside class="side-panel loading">Loading the inspector …' },
] as const)('the place of the $id is kept while its code is loaded', ({ id, place }) => {
  expect(draw(PanelView, { id })).toContain(place)
})
