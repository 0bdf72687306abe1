import { expect, test } from 'vitest'
import { calculate } from './expression.ts'

test.each([
  ['17*23', 391],
  ['2 + 3 * 4', 14],
  ['(2 + 3) * 4', 20],
  ['-2^2', -4],
  ['2^3^2', 512],
  ['2**10', 1024],
  ['7 % 4 - 1', 2],
  ['0.1 + 0.2', 0.3],
  ['.5 × 4 ÷ 2', 1],
  ['sqrt(16) + abs(-3)', 7],
  ['2 * PI', 6.28318530718],
  ['--3', 3],
])('%s is %d', (expression, value) => {
  expect(calculate(expression)).toBe(value)
})

test.each([
  ['', 'it is empty'],
  ['1 +', 'something is missing at its end'],
  ['(1', 'a bracket is not closed'],
  ['1 1', '"1" is not expected there'],
  ['1 / 0', 'the result is not a number'],
  ['process.exit()', '".exit()" cannot be read'],
  ['constructor', '"constructor" is not expected there'],
  ['sqrt 2', 'sqrt needs brackets'],
  ['2 $ 3', 'cannot be read'],
  ['1+'.repeat(300), 'longer than 500 characters'],
])('%s is refused with the reason', (expression, reason) => {
  expect(() => calculate(expression)).toThrow(reason)
})
