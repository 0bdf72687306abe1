import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallerLine } from './caller-line.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function lineTo(answers: () => boolean) {
  const line = new CallerLine(async () => (answers() ? { value: 'heard' } : undefined), '1')
  return { line, send: () => line.send({ type: 'join' }) }
}

test('a caller that nobody spoke to for long is tried again before it counts as gone', async () => {
  let isThere = true
  const { line, send } = lineTo(() => isThere)
  await send()
  await vi.advanceTimersByTimeAsync(60_000)
  isThere = false
  const sent = send()
  await vi.advanceTimersByTimeAsync(100)
  isThere = true
  await vi.advanceTimersByTimeAsync(100)
  expect(line.isLost).toBe(false)
  expect(await sent).toBe('heard')
})

test('a caller that answers nothing counts as gone after six seconds', async () => {
  const { line, send } = lineTo(() => false)
  void send()
  await vi.advanceTimersByTimeAsync(5_900)
  expect(line.isLost).toBe(false)
  await vi.advanceTimersByTimeAsync(500)
  expect(line.isLost).toBe(true)
})

test('the patience with a caller begins anew after each answer', async () => {
  let isThere = false
  const { line, send } = lineTo(() => isThere)
  const first = send()
  await vi.advanceTimersByTimeAsync(5_900)
  isThere = true
  await vi.advanceTimersByTimeAsync(200)
  await first
  isThere = false
  void send()
  await vi.advanceTimersByTimeAsync(5_900)
  expect(line.isLost).toBe(false)
})
