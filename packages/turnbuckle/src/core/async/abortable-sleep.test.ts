import { virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { abortableSleep } from './abortable-sleep.ts'

test('resolves when the clock has gone so far, and no sooner', async () => {
  const clock = virtualClock()
  let awake = false
  const sleep = abortableSleep(clock, 100, new AbortController().signal).then(() => {
    awake = true
  })
  await clock.advance(99)
  expect(awake).toBe(false)
  await clock.advance(1)
  await sleep
  expect(awake).toBe(true)
})

test('rejects with the reason of an abort at once, and leaves no timer', async () => {
  const clock = virtualClock()
  const controller = new AbortController()
  const sleep = abortableSleep(clock, 100, controller.signal)
  expect(clock.timers).toBe(1)
  controller.abort('enough')
  await expect(sleep).rejects.toBe('enough')
  expect(clock.timers).toBe(0)
})

test('rejects where the signal was aborted before, and leaves no timer', async () => {
  const clock = virtualClock()
  await expect(abortableSleep(clock, 100, AbortSignal.abort('too late'))).rejects.toBe('too late')
  expect(clock.timers).toBe(0)
})

test('an abort after the time is up changes nothing', async () => {
  const clock = virtualClock()
  const controller = new AbortController()
  const sleep = abortableSleep(clock, 10, controller.signal)
  await clock.advance(10)
  controller.abort('too late')
  await expect(sleep).resolves.toBeUndefined()
})
