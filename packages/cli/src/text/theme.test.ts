import { afterEach, expect, test, vi } from 'vitest'
import { isThemeName, paint, setTheme, themeNames } from './theme.ts'

afterEach(() => {
  setTheme('dark')
  vi.unstubAllEnvs()
})

test('a theme changes the look of what is painted', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  expect(paint('bad', 'x')).toBe('\x1b[31mx\x1b[39m')
  setTheme('colour-blind')
  expect(paint('bad', 'x')).toBe('\x1b[93mx\x1b[39m')
})

test.each(['bad', 'good', 'code', 'heading'] as const)('the theme without colours gives %s a weight alone', role => {
  vi.stubEnv('FORCE_COLOR', '1')
  setTheme('mono')
  expect(paint(role, 'x')).toBe('\x1b[1mx\x1b[22m')
})

test.each([...themeNames, 'none', 'toString'])('%s is a name of a theme only if there is one', name => {
  expect(isThemeName(name)).toBe(['dark', 'light', 'colour-blind', 'mono'].includes(name))
})
