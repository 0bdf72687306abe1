import { TurnbuckleError } from 'turnbuckle'
import { expect, test } from 'vitest'
import { isTurnbuckleError } from './is-turnbuckle-error.ts'

const fromAnotherCopy = Object.assign(new Error('x'), { name: 'TurnbuckleError', code: 'turn.ended' })

test.each([
  { what: 'an error of the library', error: new TurnbuckleError('turn.ended', 'x'), is: true },
  { what: 'an error of another copy of the library', error: fromAnotherCopy, is: true },
  { what: 'any other error', error: new TypeError('x'), is: false },
  { what: 'an object that looks like one', error: { name: 'TurnbuckleError', code: 'x' }, is: false },
])('$what: $is', ({ error, is }) => {
  expect(isTurnbuckleError(error)).toBe(is)
})
