import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rememberedLook, rememberLook } from './remembered-looks.ts'

beforeEach(() => {
  let kept: string | null = null
  vi.stubGlobal('sessionStorage', { getItem: () => kept, setItem: (_: string, value: string) => (kept = value) })
})
afterEach(() => vi.unstubAllGlobals())

test('each conversation has its own place, until it is the head again', () => {
  rememberLook('a', 'm1')
  rememberLook('b', 'm2')
  rememberLook('a', null)
  expect([rememberedLook('a'), rememberedLook('b')]).toEqual([undefined, 'm2'])
})

test('a page without a store opens at the head', () => {
  vi.stubGlobal('sessionStorage', undefined)
  rememberLook('a', 'm1')
  expect(rememberedLook('a')).toBeUndefined()
})
