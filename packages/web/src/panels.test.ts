import { expect, test } from 'vitest'
import { panels } from './panels.ts'

/** Alt and these letters do something else: new conversation, search, composer. */
const taken = ['N', 'K', 'J']

test('every panel has an id and a key of its own', () => {
  const keys = [...taken, ...panels.map(({ key }) => key)]
  expect(new Set(keys).size).toBe(keys.length)
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { key } of panels) expect(key).toMatch(/^[A-Z]$/)
})
