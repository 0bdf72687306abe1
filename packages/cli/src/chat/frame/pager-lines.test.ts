import { expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import type { TranscriptItem } from '../transcript/transcript-item.ts'
import { PagerLines } from './pager-lines.ts'

useNoColours()
const items = Array.from(
  { length: 20 },
  (_, i): TranscriptItem => ({ kind: 'notice', id: `n${i}`, text: `notice ${i}`, tone: 'plain', done: true }),
)
const page = (below: number) => {
  const { lines, below: left } = new PagerLines(items, 40).page({ rows: 5, below })
  return { lines: lines.slice(0, -1).filter(Boolean), left }
}

test('a page is read from the end, and scrolled by lines', () => {
  expect(page(0)).toEqual({ lines: ['notice 18', 'notice 19'], left: 0 })
  expect(page(2)).toEqual({ lines: ['notice 17', 'notice 18'], left: 2 })
})

test('scrolling ends at the first line', () => {
  expect(page(Infinity)).toEqual({ lines: ['notice 0', 'notice 1'], left: 36 })
})
