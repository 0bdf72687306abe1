import { expect, test } from 'vitest'
import { checkArgument, checkOptions, checkSome, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

interface Options {
  readonly max?: number
  readonly name: string
}
const shape = (): Shape<Options> => ({ max: is.number(1), name: is.needed(is.text) })
const check = (given: unknown) => () => checkOptions('limit', given as Options, shape)

test.each([
  { given: 3, says: 'limit takes its options as an object, not 3: { max, name }.' },
  { given: { name: 'a', mex: 1 }, says: 'limit has no option "mex". Did you mean "max"? Options: max, name.' },
  { given: { name: 'a', max: 0 }, says: 'limit: max must be a number of at least 1, not 0.' },
  { given: { name: 'a', max: Number.NaN }, says: 'limit: max must be a number of at least 1, not NaN.' },
  { given: { name: 'a', max: ['x'] }, says: 'limit: max must be a number of at least 1, not a list of "x".' },
  { given: { max: 2 }, says: 'limit needs name: text. Write limit({ name: … }).' },
])('options $given are refused: $says', ({ given, says }) => {
  expect(check(given)).toThrow(says)
})

test('options that fit are taken', () => {
  expect(check({ name: 'a', max: 2 })).not.toThrow()
})

test('an argument of the wrong kind is refused with the way to write it', () => {
  expect(() => checkArgument('fallback', 'models', 1, is.list(is.model))).toThrow('Write fallback(models, …).')
})

test('options without any effect are refused', () => {
  expect(() => checkSome('limit', {}, ['max', 'name'] as never[])).toThrow(
    'limit would do nothing: give it max or name.',
  )
})
