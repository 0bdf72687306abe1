import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draw } from '../../test/draw.ts'
import { Rail } from './rail.tsx'

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('window', {})
})
afterEach(() => vi.unstubAllGlobals())

test.each([
  { status: 'open', words: 'Connected' },
  { status: 'connecting', words: 'Connecting …' },
  { status: 'offline', words: 'Offline, trying again …' },
  { status: 'refused', words: 'Signed out' },
] as const)('a connection that is $status is told as "$words"', ({ status, words }) => {
  expect(draw(Rail, {}, { status, list: [] })).toContain(`data-status="${status}" role="status">${words}`)
})

test('the settings are a link, and the search has a name', () => {
  const html = draw(Rail, {}, { list: [] })
  expect(html).toContain('href="/settings"')
  expect(html).toContain('aria-label="Search in all conversations (Alt+K)"')
})
