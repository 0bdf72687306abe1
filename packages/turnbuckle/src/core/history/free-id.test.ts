import { expect, test } from 'vitest'
import { freeId } from './free-id.ts'

test('An id that is free is taken as it is', () => {
  expect(freeId('c', () => false)).toBe('c')
})

test('An id that is used again and again gets numbers, and stays short', () => {
  const taken = new Set<string>()
  for (let i = 0; i < 1000; i++) taken.add(freeId('c', id => taken.has(id)))
  expect(taken.size).toBe(1000)
  expect([...taken].slice(0, 4)).toEqual(['c', "c'", "c'2", "c'3"])
  expect([...taken].at(-1)).toBe("c'999")
})

test('A thousand ids that are taken are not all looked at', () => {
  const taken = new Set(['c', "c'", ...Array.from({ length: 1000 }, (_, i) => `c'${i + 2}`)])
  let looks = 0
  freeId('c', id => {
    looks++
    return taken.has(id)
  })
  expect(looks).toBeLessThan(30)
})
