import { expect, test } from 'vitest'
import { Cache, cacheKey, memoryCache } from './cache-store.ts'

test('the least recently used value makes room', () => {
  const cache = memoryCache({ max: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map(key => cache.get(key))).toEqual([1, undefined, 3])
})

test('a value is good until its time is over', async () => {
  const cache = new Cache<string>(memoryCache(), 100)
  await cache.set('key', 'value', 1000)
  expect(await cache.get('key', 1099)).toBe('value')
  expect(await cache.get('key', 1100)).toBeUndefined()
})

test('a value without an end is good for ever', async () => {
  const cache = new Cache<string>(memoryCache(), Infinity)
  await cache.set('key', 'value', 0)
  expect(await cache.get('key', Number.MAX_SAFE_INTEGER)).toBe('value')
})

test('a short request is its own key, a long one has a key of 64 characters', () => {
  expect(cacheKey({ b: 1, a: 2 })).toBe('{"a":2,"b":1}')
  expect(cacheKey({ text: 'x'.repeat(100) })).toMatch(/^[0-9a-f]{64}$/)
  expect(cacheKey({ text: 'x'.repeat(100) })).not.toBe(cacheKey({ text: 'x'.repeat(101) }))
})
