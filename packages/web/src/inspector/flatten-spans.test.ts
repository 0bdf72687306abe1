import { expect, test } from 'vitest'
import type { TimelineSpan } from '../conversation/facts/spans.ts'
import { flattenSpans } from './flatten-spans.ts'

test('rows stand below the span around them, in the order they began', () => {
  const span = (id: number, parentId?: number) => ({ id, parentId }) as TimelineSpan
  const rows = flattenSpans([span(3, 1), span(0), span(2, 0), span(1, 0)])
  expect(rows.map(({ span: { id }, level }) => [id, level])).toEqual([
    [0, 0],
    [1, 1],
    [3, 2],
    [2, 1],
  ])
})
