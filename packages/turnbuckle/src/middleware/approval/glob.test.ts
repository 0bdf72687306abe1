import { expect, test } from 'vitest'
import { betweenStars, charactersOf, glob } from './glob.ts'

test('a star stands for anything, one behind a backslash for itself', () => {
  const isLike = glob([charactersOf('a*\\*c')])
  expect(['a*c', 'abb*c', 'abc', 'a*cd'].map(isLike)).toEqual([true, true, false, false])
})

test('a text has one of several forms', () => {
  const isLike = glob([charactersOf('git'), charactersOf('git *')])
  expect(['git', 'git push', 'gitk'].map(isLike)).toEqual([true, true, false])
})

test('the texts between stars are in order, empty at an edge with a star', () => {
  expect(betweenStars(charactersOf('*a*b'))).toEqual(['', 'a', 'b'])
})
