import { expect, test } from 'vitest'
import * as is from './kinds.ts'

const model = { id: 'm', stream: () => [] }

test.each([
  { kind: is.share, good: [0, 0.5, 1], bad: [-0.1, 1.1, '1'] },
  { kind: is.number(2), good: [2, Infinity], bad: [1, Number.NaN] },
  { kind: is.tools, good: [[], ['a', /b/]], bad: ['a', [1]] },
  { kind: is.judge, good: [() => ({}), model], bad: [{ id: 'm' }] },
  { kind: is.some(is.text), good: [['a']], bad: [[], [1]] },
  { kind: is.record(is.flag), good: [{ a: true }], bad: [{ a: 1 }, [true]] },
  { kind: is.record(is.flag, is.oneOf('a', 'b')), good: [{ b: true }], bad: [{ c: true }] },
  { kind: is.only('{ a }', { a: is.text }), good: [{ a: 'x' }], bad: [{ a: 'x', b: 1 }, {}] },
  { kind: is.shaped('{ a }', { a: is.text }), good: [{ a: 'x', b: 1 }], bad: [{ b: 1 }] },
  { kind: is.either(is.text, is.flag), good: ['a', false], bad: [0] },
  { kind: is.optional(is.text), good: [undefined, 'a'], bad: [null] },
  { kind: is.port('get', 'set'), good: [new Map()], bad: [null, { get() {} }] },
  { kind: is.errorKind(), good: ['rateLimit'], bad: ['ratelimit'] },
])('$kind.is takes $good and not $bad', ({ kind, good, bad }) => {
  for (const value of good) expect(kind.fits(value)).toBe(true)
  for (const value of bad) expect(kind.fits(value)).toBe(false)
})
