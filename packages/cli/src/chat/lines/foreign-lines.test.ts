import { expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import { diffLines, textLines } from './foreign-lines.ts'

useNoColours()

test('foreign text is cleaned, its tabs are two columns, and it fits', () => {
  expect(textLines('a\tb\x1b[2J\x07', 10)).toEqual(['a  b'])
  expect(textLines('one two three', 8)).toEqual(['one two ', 'three'])
})

test('a diff has a row for each line, cut where it is too long', () => {
  expect(diffLines('@@ line 1 @@\n-one\n+a line that is long\n', 12)).toEqual([
    '  @@ line 1…',
    '  -one',
    '  +a line t…',
  ])
})
