import { afterEach, expect, test, vi } from 'vitest'
import { settingsAddress, settingsInAddress } from './settings-in-address.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  { pathname: '/', section: undefined },
  { pathname: '/c/settings', section: undefined },
  { pathname: '/settings', section: '' },
  { pathname: '/settings/people', section: 'people' },
  { pathname: '/settings/a/b', section: undefined },
])('$pathname shows the section $section', ({ pathname, section }) => {
  vi.stubGlobal('location', { pathname })
  expect(settingsInAddress()).toBe(section)
  if (section !== undefined) expect(settingsAddress(section)).toBe(pathname)
})
