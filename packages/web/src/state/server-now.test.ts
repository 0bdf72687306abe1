import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerTime, serverNow } from './server-now.ts'

beforeEach(() => vi.useFakeTimers({ now: 10_000 }))
afterEach(() => vi.useRealTimers())

test('the smallest difference seen is that of the clocks', () => {
  expect(serverNow()).toBe(10_000)
  noteServerTime(4000)
  expect(serverNow()).toBe(4000)
  vi.setSystemTime(11_000)
  noteServerTime(5500)
  expect(serverNow()).toBe(5500)
  noteServerTime(1000)
  expect(serverNow()).toBe(5500)
})
