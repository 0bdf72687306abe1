import { expect, test } from 'vitest'
import { mayBecome } from './may-become.ts'

/** A pattern's characters, with nothing for each star. */
const characters = (pattern: string) => Array.from(pattern, sign => (sign === '*' ? undefined : sign))

test.each([
  { command: 'git pus?', pattern: 'git push', may: true },
  { command: 'git pus?', pattern: 'git pull', may: false },
  { command: 'r* file', pattern: 'rm *', may: true },
  { command: 'l* file', pattern: 'rm *', may: false },
  { command: '$PROGRAM', pattern: 'rm *', may: true },
  { command: 'git $1', pattern: 'git push', may: true },
  { command: 'git $1', pattern: 'rm *', may: false },
  { command: '{rm,-f} x', pattern: 'rm *', may: true },
  { command: '[r]m x', pattern: 'rm *', may: true },
  { command: '?? x', pattern: 'rm *', may: true },
  { command: '??? x', pattern: 'rm *', may: false },
  // A word with a star becomes as many words as there are files like it.
  { command: 'g* x', pattern: 'git go x', may: true },
])('`$command` may become "$pattern": $may', ({ command, pattern, may }) => {
  expect(mayBecome(command, characters(pattern))).toBe(may)
})

test('a command without signs of the shell becomes nothing else, not even itself', () => {
  expect(mayBecome('git push', characters('git push'))).toBe(false)
})
