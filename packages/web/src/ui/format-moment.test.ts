import { expect, test } from 'vitest'
import { formatMoment } from './format-moment.ts'

const noon = new Date(2026, 10, 17, 12, 0).getTime()
const hour = 3_600_000

test('a moment of today is a time of day', () => {
  expect(formatMoment(noon + hour, noon)).toBe(
    new Date(noon + hour).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }),
  )
})

test('a moment of another day says which', () => {
  expect(formatMoment(noon + 24 * hour, noon)).toMatch(/18.*, /)
})
