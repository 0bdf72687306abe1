import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepRightsFresh } from './keep-rights-fresh.ts'
import { LiveConnections } from './live-connections.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('rights are read before the server begins, and again every second until it stops', async () => {
  const refresh = vi.fn(async () => {})
  const { stop } = await keepRightsFresh([{ refresh }], new LiveConnections(), () => {})
  expect(refresh).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(refresh).toHaveBeenCalledTimes(3)
  stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(refresh).toHaveBeenCalledTimes(3)
})

test('connections that have lost their rights end, also while the store cannot be read', async () => {
  const connections = new LiveConnections()
  const end = vi.fn()
  let mayStay = true
  connections.add({ mayStay: () => mayStay, end })
  let broken = false
  const refresh = async () => {
    if (broken) throw new Error('disk')
  }
  const reported: unknown[] = []
  const { stop } = await keepRightsFresh([{ refresh }], connections, error => reported.push(error))
  mayStay = false
  broken = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(end).toHaveBeenCalledTimes(1)
  expect(reported).toHaveLength(1)
  stop()
})

test('a slow store is not asked again before it has answered', async () => {
  let answer = () => {}
  let asked = 0
  const refresh = () => {
    asked++
    return asked === 1 ? Promise.resolve() : new Promise<void>(resolve => (answer = resolve))
  }
  const { stop } = await keepRightsFresh([{ refresh }], new LiveConnections(), () => {})
  await vi.advanceTimersByTimeAsync(5000)
  expect(asked).toBe(2)
  answer()
  await vi.advanceTimersByTimeAsync(1000)
  expect(asked).toBe(3)
  stop()
})

test('who says that something is new waits until it was read, also where a reading was under way before', async () => {
  const answers: (() => void)[] = []
  let asked = 0
  const refresh = () => (++asked === 1 ? Promise.resolve() : new Promise<void>(resolve => answers.push(resolve)))
  const { look, stop } = await keepRightsFresh([{ refresh }], new LiveConnections(), () => {})
  const first = look()
  const [second, third] = [look(), look()]
  expect(asked).toBe(2)
  answers.shift()?.()
  await first
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toBe(3)
  answers.shift()?.()
  await Promise.all([second, third])
  expect(asked).toBe(3)
  stop()
})
