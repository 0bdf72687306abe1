import { afterEach, expect, test, vi } from 'vitest'
import { takeTokenFromAddress } from './stored-token.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  { hash: '#token=abc', token: 'abc', replaced: '/c/1?x=2' },
  { hash: '#token=a%2Bb&more=1', token: 'a+b', replaced: '/c/1?x=2' },
  { hash: '#stage', token: undefined, replaced: undefined },
  { hash: '', token: undefined, replaced: undefined },
])('the token of "$hash" is $token and leaves the address', ({ hash, token, replaced }) => {
  const replaceState = vi.fn()
  vi.stubGlobal('location', { hash, pathname: '/c/1', search: '?x=2' })
  vi.stubGlobal('history', { replaceState })
  expect(takeTokenFromAddress()).toBe(token)
  expect(replaceState.mock.calls[0]?.[2]).toBe(replaced)
})
