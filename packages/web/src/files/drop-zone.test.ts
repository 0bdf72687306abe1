import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { DropZone } from './drop-zone.tsx'

test('nothing lies over the page until files are dragged over it', () => {
  expect(draw(DropZone, {})).toBe('')
})
