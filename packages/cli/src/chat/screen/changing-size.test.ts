import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChangingSize } from './changing-size.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const wide = { columns: 120, rows: 40 }
const narrow = { columns: 80, rows: 24 }

test('a size that has changed is settled when it has stayed for longer than tmux waits to tell of another', () => {
  const settled = vi.fn()
  const size = new ChangingSize(wide, settled)
  expect(size.isChanging(wide)).toBe(false)
  expect(size.isChanging(narrow)).toBe(true)
  vi.advanceTimersByTime(260)
  expect(size.isChanging(narrow)).toBe(true)
  expect(settled).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(settled).toHaveBeenCalledOnce()
  expect(size.isChanging(narrow)).toBe(false)
})

test('twenty changes within a second are settled once, after the last', () => {
  const settled = vi.fn()
  const size = new ChangingSize(wide, settled)
  for (let i = 0; i < 20; i++) {
    expect(size.isChanging(i % 2 ? wide : narrow)).toBe(true)
    vi.advanceTimersByTime(50)
  }
  expect(settled).not.toHaveBeenCalled()
  vi.advanceTimersByTime(350)
  expect(settled).toHaveBeenCalledOnce()
})

test('a size of which nobody wants to know any more is not told as settled', () => {
  const settled = vi.fn()
  const size = new ChangingSize(wide, settled)
  size.isChanging(narrow)
  size.close()
  vi.advanceTimersByTime(1000)
  expect(settled).not.toHaveBeenCalled()
})
