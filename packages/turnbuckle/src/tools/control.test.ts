import { expect, test } from 'vitest'
import { stripControls } from './control.ts'

test.each([
  ['a\x1b[31mb\x1b[0m', 'ab'],
  ['a\x1b]0;title\x07b', 'ab'],
  ['a\x1b]8;;https://x.example\x1b\\b', 'ab'],
  ['a\x1b]0;never ended\nb', 'a\nb'],
  ['a\x1b]0;never ended\x1b[31mb', 'ab'],
  ['a\x9dnever ended\x1b', 'a'],
  ['a\tb\r\nc\rd', 'a\tb\ncd'],
])('%j is %j without what drives a terminal', (text, clean) => expect(stripControls(text)).toBe(clean))

test.each(['\x9d', '\x1b]', '\x9b0', '\x1b(', '\x90a'])('a text of many %j is gone through once', beginning => {
  expect(stripControls(`${beginning.repeat(1_000_000)}\x1bZ`)).toBe('')
})
