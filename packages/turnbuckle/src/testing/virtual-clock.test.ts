import { sequentialIds, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test('time moves only when told; what is due fires in order of time, then of setting', async () => {
  const clock = virtualClock(1000)
  const fired: string[] = []
  clock.after(20, () => fired.push(`b at ${clock.now()}`))
  clock.after(10, () => fired.push(`a at ${clock.now()}`))
  clock.after(20, () => fired.push(`c at ${clock.now()}`))
  await clock.advance(9)
  expect(fired).toEqual([])
  await clock.advance(11)
  expect(fired).toEqual(['a at 1010', 'b at 1020', 'c at 1020'])
  expect(clock.now()).toBe(1020)
})

test('what a timer wakes may set the next one, which fires in the same advance', async () => {
  const clock = virtualClock()
  const fired: number[] = []
  const sleep = (ms: number) => new Promise<void>(resolve => clock.after(ms, resolve))
  const work = (async () => {
    for (let i = 0; i < 3; i++) {
      await sleep(10)
      fired.push(clock.now())
    }
  })()
  await clock.advance(30)
  await work
  expect(fired).toEqual([10, 20, 30])
})

test('a timer called off does not fire, and does not count', async () => {
  const clock = virtualClock()
  let fired = false
  const cancel = clock.after(10, () => {
    fired = true
  })
  expect(clock.timers).toBe(1)
  cancel()
  expect(clock.timers).toBe(0)
  await clock.advance(100)
  expect(fired).toBe(false)
})

test('ids count by kind', () => {
  const ids = sequentialIds()
  expect([ids.next('turn'), ids.next('conv'), ids.next('turn')]).toEqual(['turn_1', 'conv_1', 'turn_2'])
})
