import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const signs = { same: ' ', gone: '-', new: '+', place: '@' } as const

test.each([
  { before: '', after: '', is: '' },
  { before: '', after: 'a', is: '+a' },
  { before: 'a', after: '', is: '-a' },
  { before: 'a\nb\nc', after: 'a\nc', is: ' a|-b| c' },
  { before: 'a\nb', after: 'a\nx\nb', is: ' a|+x| b' },
  { before: 'a\nb\nc', after: 'c\na\nb', is: '+c| a| b|-c' },
])('$before → $after', ({ before, after, is }) => {
  expect(
    lineDiff(before, after)
      .map(({ kind, text }) => signs[kind] + text)
      .join('|'),
  ).toBe(is)
})

test('a very long text is shown whole, old then new', () => {
  const long = Array.from({ length: 500 }, (_, i) => `line ${i}`).join('\n')
  const lines = lineDiff(long, `${long}\nmore`)
  expect(lines.filter(({ kind }) => kind === 'gone')).toHaveLength(500)
  expect(lines.at(-1)).toEqual({ kind: 'new', text: 'more' })
})
