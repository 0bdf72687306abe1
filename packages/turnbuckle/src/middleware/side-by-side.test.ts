import { expect, test } from 'vitest'
import type { Turn } from '../core/types/turn.ts'
import { isTrial, sideBySide, workBeside } from './side-by-side.ts'

const turn = () => ({}) as Turn

test('a turn by itself is alone and no trial', () => {
  const alone = turn()
  expect(sideBySide(alone)).toEqual([alone])
  expect(isTrial(alone)).toBe(false)
})

test('turns that work on one message know each other; all but the first are trials', () => {
  const [first, second, third] = [turn(), turn(), turn()]
  workBeside(first, second)
  workBeside(first, third)
  expect(sideBySide(third)).toEqual([first, second, third])
  expect([first, second, third].map(isTrial)).toEqual([false, true, true])
})
