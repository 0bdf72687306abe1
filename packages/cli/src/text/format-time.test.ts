import { afterEach, expect, test, vi } from 'vitest'
import { formatDay, formatTime } from './format-time.ts'

afterEach(() => void vi.unstubAllEnvs())

const at = Date.UTC(2026, 10, 17, 3, 8)

test.each([
  { zone: 'UTC', says: '2026-11-17 03:08' },
  { zone: 'Asia/Tokyo', says: '2026-11-17 12:08' },
  { zone: 'America/New_York', says: '2026-11-16 22:08' },
])('in $zone it is $says', ({ zone, says }) => {
  vi.stubEnv('TZ', zone)
  expect([formatTime(at), formatDay(at)]).toEqual([says, says.slice(0, 10)])
})
