import { expect, test } from 'vitest'
import { literally, parsePattern } from './pattern.ts'

test.each([
  { pattern: 'shell(rm *)', value: 'rm -f x', fits: true },
  { pattern: 'shell(rm *)', value: 'rm', fits: true },
  { pattern: 'shell(rm *)', value: 'rmdir x', fits: false },
  { pattern: 'write_file(src/*)', value: 'src/main.ts', fits: true },
  { pattern: 'write_file(src/*)', value: 'src/../.env', fits: false },
  { pattern: 'write_file(src/../x)', value: 'src/../x', fits: true },
  { pattern: 'shell(a*b*c)', value: 'a-b-b-c', fits: true },
  { pattern: 'shell(a*b*c)', value: 'a-c-b', fits: false },
  { pattern: 'shell(echo \\*)', value: 'echo *', fits: true },
  { pattern: 'shell(echo \\*)', value: 'echo x', fits: false },
  { pattern: 'fetch(url=https://example.com/*)', value: 'https://example.com/a', fits: true },
])('$pattern fits "$value": $fits', ({ pattern, value, fits }) => {
  expect(parsePattern(pattern).fits(value)).toBe(fits)
})

test.each(['src/../.env', 'src/main.ts'])('a no to src/* means %s, however it climbs', value => {
  expect(parsePattern('write_file(src/*)').means(value)).toBe(true)
})

test('a pattern without an argument covers whatever the arguments are', () => {
  expect(parsePattern('git_*')).toMatchObject({ bare: true, key: undefined })
  expect(parsePattern('git_*').names('git_push')).toBe(true)
  expect(parsePattern('git_*').names('shell')).toBe(false)
})

test('a pattern may name the argument that it looks at', () => {
  expect(parsePattern('fetch(url=https://*)')).toMatchObject({ bare: false, key: 'url' })
})

test('a value taken literally is fitted by itself alone', () => {
  const value = 'a*b=c\\d'
  expect(parsePattern(`shell(${literally(value)})`).fits(value)).toBe(true)
  expect(parsePattern(`shell(${literally(value)})`).fits('aXb=c\\d')).toBe(false)
})

test('a long text with many stars is decided at once', () => {
  const { fits } = parsePattern(`shell(${'a*'.repeat(500)}b)`)
  expect(fits('a'.repeat(50_000))).toBe(false)
})

test('a text that is no pattern is refused with an example', () => {
  expect(() => parsePattern('shell(rm')).toThrow('"shell(rm" is not a permission pattern. Write a tool')
})
