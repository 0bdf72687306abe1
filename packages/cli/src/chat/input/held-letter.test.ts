import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HeldLetter, typingMs } from './held-letter.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function holding() {
  const held = new HeldLetter()
  const done: string[] = []
  held.hold('y', () => done.push('y'))
  return { held, done }
}

test('a letter is an answer when the typing pauses, once', () => {
  const { held, done } = holding()
  vi.advanceTimersByTime(typingMs - 1)
  expect(done).toEqual([])
  vi.advanceTimersByTime(1)
  held.act()
  expect([done, held.take()]).toEqual([['y'], ''])
})

test('one that is taken away in time is no answer', () => {
  const { held, done } = holding()
  expect(held.take()).toBe('y')
  vi.advanceTimersByTime(typingMs)
  held.act()
  expect(done).toEqual([])
})
