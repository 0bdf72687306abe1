import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useAppState } from './app-state.ts'
import { showNotice } from './show-notice.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const shown = () => useAppState.getState().notice?.text

test('a notice goes after six seconds', () => {
  showNotice('No.')
  vi.advanceTimersByTime(5999)
  expect(shown()).toBe('No.')
  vi.advanceTimersByTime(1)
  expect(shown()).toBeUndefined()
})

test('a newer notice is shown for its own six seconds', () => {
  showNotice('first')
  vi.advanceTimersByTime(4000)
  showNotice('second', 'news')
  vi.advanceTimersByTime(4000)
  expect(useAppState.getState().notice).toEqual({ text: 'second', tone: 'news' })
  vi.advanceTimersByTime(2000)
  expect(shown()).toBeUndefined()
})
