import { virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { ActiveClock } from './active-clock.ts'
import { InterruptibleWaits } from './interruptible-waits.ts'

function create() {
  const below = virtualClock()
  // As setTimeout does: what it cannot count it calls at once.
  const like = { now: below.now, after: (ms: number, run: () => void) => below.after(ms < 2 ** 31 ? ms : 1, run) }
  const clock = new ActiveClock(like, below.now(), new InterruptibleWaits())
  const fired: string[] = []
  const after = (ms: number, name: string, also?: () => void) =>
    clock.after(ms, () => {
      fired.push(`${name}@${below.now()}`)
      also?.()
    })
  return { below, clock, fired, after }
}

test('what waits shares one timer, and each is called at its time', async () => {
  const { below, fired, after } = create()
  for (const ms of [30, 10, 20, 40]) after(ms, `${ms}`)
  expect(below.timers).toBe(1)
  await below.advance(35)
  expect(fired).toEqual(['10@10', '20@20', '30@30'])
  await below.advance(35)
  expect([fired.at(-1), below.timers]).toEqual(['40@40', 0])
})

test('what is called off is not called, also by another that is due at the same time', async () => {
  const { below, fired, after } = create()
  after(5, 'early')()
  after(10, 'first', () => off())
  const off = after(10, 'second')
  after(10, 'third')
  await below.advance(20)
  expect(fired).toEqual(['first@10', 'third@10'])
})

test('a pause moves what waits, and what begins meanwhile waits for its end', async () => {
  const { below, clock, fired, after } = create()
  after(10, 'before')
  await below.advance(4)
  const endPause = clock.pause()
  after(10, 'during')
  await below.advance(100)
  expect([fired, below.timers]).toEqual([[], 0])
  endPause()
  await below.advance(20)
  expect(fired).toEqual(['before@110', 'during@114'])
})

test('a wait that is longer than a timer can be is not cut short', async () => {
  const { below, fired, after } = create()
  after(2 ** 31 + 5, 'late')
  await below.advance(2 ** 31)
  expect(fired).toEqual([])
  await below.advance(5)
  expect(fired).toEqual([`late@${2 ** 31 + 5}`])
})

test('nothing is left once it is closed', async () => {
  const { below, clock, fired, after } = create()
  after(10, 'one')
  clock.close()
  after(10, 'two')
  await below.advance(20)
  expect([fired, below.timers]).toEqual([[], 0])
})
