import { expect, test } from 'vitest'
import { render, styleOf } from './style.ts'

test.each([
  { style: 'redact', value: 'ada@example.com', shown: '[email]' },
  { style: 'mask', value: 'ada@example.com', shown: 'a***@example.com' },
  { style: 'mask', value: '4111 1111 1111 1111', shown: '**** **** **** 1111' },
  { style: 'mask', value: '12345678', shown: '********' },
] as const)('$style shows $value as $shown', ({ style, value, shown }) => {
  expect(styleOf(style)(value, 'email')).toBe(shown)
})

test('a hash is the same for the same value and key, and another with another key', () => {
  const [one, other] = [styleOf('hash', 'key'), styleOf('hash', 'other')]
  expect(one('a', 'ssn')).toMatch(/^\[ssn [0-9a-f]{12}\]$/)
  expect(one('a', 'ssn')).toBe(styleOf('hash', 'key')('a', 'ssn'))
  expect(one('a', 'ssn')).not.toBe(other('a', 'ssn'))
})

test('without a key hashes cannot be tried out', () => {
  expect(styleOf('hash')('a', 'ssn')).not.toBe(styleOf('hash')('a', 'ssn'))
})

test('finds are replaced where they are', () => {
  const found = [
    { kind: 'x', start: 1, end: 2 },
    { kind: 'y', start: 3, end: 5 },
  ]
  expect(render('abcde!', found, styleOf('redact'))).toBe('a[x]c[y]!')
})
