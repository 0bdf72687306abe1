import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { applyTheme, readTheme } from './theme.ts'

const dataset: { theme?: string } = {}
beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('document', { documentElement: { dataset } })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a chosen theme is kept; that of the system leaves nothing behind', () => {
  expect(readTheme()).toBe('system')
  applyTheme('dark')
  expect([readTheme(), dataset.theme]).toEqual(['dark', 'dark'])
  applyTheme('system')
  expect([readTheme(), dataset.theme]).toEqual(['system', undefined])
})

test('a theme that is not known counts as that of the system', () => {
  localStorage.setItem('turnbuckle.theme', 'sepia')
  expect(readTheme()).toBe('system')
})
