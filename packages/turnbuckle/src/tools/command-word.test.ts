import { expect, test } from 'vitest'
import { expansion, pastOptions, readValue, Unknown, wordOf } from './command-word.ts'

const spec = { flags: /^(-v|--all)$/, values: /^-C$/ }
const words = (line: string) => line.split(' ').map(wordOf)

test.each([
  ['git push', 1],
  ['git -v --all push', 3],
  ['git -C x push', 3],
  ['git -- -v', 2],
  ['git', 1],
])('the options of "%s" end at %i', (line, at) => {
  expect(pastOptions(words(line), 1, spec)).toBe(at)
})

test.each(['git -x push', 'git -C'])('of "%s" nobody can tell where its options end', line => {
  expect(() => pastOptions(words(line), 1, spec)).toThrow(Unknown)
})

test('a value that a shell has yet to expand cannot be read, but for braces and a home folder', () => {
  expect(() => readValue(expansion('X'))).toThrow(Unknown)
  expect(readValue({ text: '{}', dynamic: true })).toBe('{}')
  expect(readValue({ text: '~/x', dynamic: true })).toBe('~/x')
})
