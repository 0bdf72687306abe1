import { TurnbuckleError } from 'turnbuckle'
import { expect, test } from 'vitest'
import { isHearsay } from './is-hearsay.ts'

test.each([
  ['request.answered', true],
  ['request.expired', true],
  ['request.unknown', true],
  ['request.invalid', false],
  ['request.foreign', false],
  ['store.unreachable', false],
])('a refusal with %s is to be confirmed by the log: %s', (code, confirmed) => {
  expect(isHearsay(new TurnbuckleError(code, 'No.'))).toBe(confirmed)
})
