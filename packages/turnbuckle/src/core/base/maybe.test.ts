import { expect, test } from 'vitest'
import { andThen } from './maybe.ts'

test('a value that is there is worked on at once', () => {
  expect(andThen(1, n => n + 1)).toBe(2)
})

test('a promise is waited for', async () => {
  const later = andThen(Promise.resolve(1), n => n + 1)
  expect(later).toBeInstanceOf(Promise)
  expect(await later).toBe(2)
})

test('the failure of a promise is passed on, and the next act is left out', async () => {
  let ran = false
  const act = () => {
    ran = true
  }
  await expect(andThen(Promise.reject(new Error('off')), act)).rejects.toThrow('off')
  expect(ran).toBe(false)
})
