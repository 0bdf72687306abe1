import { expect, test } from 'vitest'
import { changeOutsideCode, splitFences } from './outside-code.ts'

test.each([
  { name: 'a fence', text: 'a\n```ts\nb\n```\nc', code: ['```ts\nb\n```\n'] },
  { name: 'a fence that is still open', text: 'a\n~~~\nb', code: ['~~~\nb'] },
  { name: 'a shorter fence inside', text: '````\n```\nb\n```\n````\nc', code: ['````\n```\nb\n```\n````\n'] },
  {
    name: 'a fence in a list and in a quotation',
    text: '- ```\n  b\n  ```\n> ```\n> c\n> ```',
    code: ['- ```\n  b\n  ```\n', '> ```\n> c\n> ```'],
  },
  { name: 'a code span of three', text: '```a``` b', code: [] },
])('$name is code, and no text is lost', ({ text, code }) => {
  const runs = splitFences(text)
  expect(runs.filter(run => run.code).map(run => run.text)).toEqual(code)
  expect(runs.map(run => run.text).join('')).toBe(text)
})

test('only text outside of code is changed; a span does not reach into another paragraph', () => {
  expect(changeOutsideCode('a `a` ``a ` a`` a\n```\na\n```\na ` a\n\na ` a', text => text.replaceAll('a', 'b'))).toBe(
    'b `a` ``a ` a`` b\n```\na\n```\nb ` b\n\nb ` b',
  )
})
