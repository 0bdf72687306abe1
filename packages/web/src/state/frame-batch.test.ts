import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFrameBatch } from './frame-batch.ts'

let frame: (() => void) | undefined
let hidden = false

beforeEach(() => {
  vi.useFakeTimers()
  hidden = false
  vi.stubGlobal('document', {
    get hidden() {
      return hidden
    },
  })
  vi.stubGlobal('window', { setTimeout })
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    frame = run
    return 1
  })
  vi.stubGlobal('cancelAnimationFrame', () => {
    frame = undefined
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('items of one frame are handed over together, once', () => {
  const batches: unknown[] = []
  const { add } = createFrameBatch<number>(items => batches.push(items))
  add(1)
  add(2)
  expect(batches).toEqual([])
  frame?.()
  add(3)
  frame?.()
  expect(batches).toEqual([[1, 2], [3]])
})

test('a tab in the background, which gets no frames, is served by a timer', () => {
  const batches: unknown[] = []
  hidden = true
  createFrameBatch<number>(items => batches.push(items)).add(1)
  vi.advanceTimersByTime(200)
  expect(batches).toEqual([[1]])
})

test('a stopped batch hands nothing over', () => {
  const flush = vi.fn()
  const { add, stop } = createFrameBatch<number>(flush)
  add(1)
  stop()
  frame?.()
  expect(flush).not.toHaveBeenCalled()
})
