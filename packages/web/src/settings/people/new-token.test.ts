import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { NewToken } from './new-token.tsx'

beforeEach(() => vi.stubGlobal('location', { origin: 'http://127.0.0.1:4270' }))
afterEach(() => vi.unstubAllGlobals())

test('the link of a new person is shown this once, whole', () => {
  const person = { name: 'bob', role: 'member', tokenHash: 'h', token: 'made-up' } as never
  const html = draw(NewToken, { person, done: () => {} }).replaceAll('<!-- -->', '')
  expect(html).toContain('The link for bob, a member')
  expect(html).toContain('http://127.0.0.1:4270/#token=made-up')
})
