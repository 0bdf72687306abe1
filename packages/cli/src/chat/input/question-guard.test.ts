import { expect, test } from 'vitest'
import { QuestionGuard } from './question-guard.ts'

function guarded() {
  const clock = { now: 0 }
  return { clock, guard: new QuestionGuard(() => clock.now) }
}

test('a question is deaf for 400 ms after it has appeared, and not again while it stays', () => {
  const { clock, guard } = guarded()
  guard.notice('r1')
  clock.now = 399
  expect(guard.ignores(false)).toBe(true)
  guard.notice('r1')
  clock.now = 400
  expect(guard.ignores(false)).toBe(false)
})

test('somebody who types on is not heard before a pause', () => {
  const { clock, guard } = guarded()
  guard.notice('r1')
  for (clock.now = 100; clock.now < 2000; clock.now += 100) expect(guard.ignores(true)).toBe(true)
  clock.now += 250
  expect(guard.ignores(true)).toBe(false)
})

test('the next question is deaf again, and so is one that comes back with the screen', () => {
  const { clock, guard } = guarded()
  guard.notice('r1')
  clock.now = 1000
  guard.notice('r2')
  expect(guard.ignores(false)).toBe(true)
  clock.now = 2000
  guard.begin()
  expect(guard.ignores(false)).toBe(true)
})
