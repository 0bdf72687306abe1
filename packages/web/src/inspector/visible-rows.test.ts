import { expect, test } from 'vitest'
import { visibleRows } from './visible-rows.ts'

const none = new Map<number, number>()

test('of a long list only the rows in view and a little around are drawn', () => {
  const { first, end, above, below } = visibleRows(5000, none, { top: 28_000, height: 600 })
  expect(end - first).toBeLessThan(60)
  expect([first, end]).toEqual([985, 1036])
  expect(above + (end - first) * 28 + below).toBe(5000 * 28)
})

test('a short list is drawn whole; a row that is high pushes others out of view', () => {
  expect(visibleRows(3, none, { top: 0, height: 600 })).toEqual({ first: 0, end: 3, above: 0, below: 0 })
  expect(visibleRows(100, new Map([[1, 2000]]), { top: 0, height: 600 })).toMatchObject({ first: 0, end: 2 })
})
