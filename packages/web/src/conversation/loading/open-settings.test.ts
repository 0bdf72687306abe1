import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { givePage } from '../../../test/conversation.ts'
import { useAppState } from '../../state/app-state.ts'
import { closeSettings, openSettings } from './open-settings.ts'

const pushState = vi.fn()
beforeEach(() => {
  pushState.mockClear()
  vi.stubGlobal('location', { pathname: '/c/c' })
  vi.stubGlobal('history', { pushState })
})
afterEach(() => vi.unstubAllGlobals())

test('a section has an address of its own, and the way back is the conversation’s', () => {
  givePage({ openId: 'c', railOpen: true })
  openSettings('tools')
  expect(pushState).toHaveBeenLastCalledWith(null, '', '/settings/tools')
  expect(useAppState.getState()).toMatchObject({ settingsSection: 'tools', railOpen: false })
  vi.stubGlobal('location', { pathname: '/settings/tools' })
  closeSettings()
  expect(useAppState.getState().settingsSection).toBeUndefined()
  expect(pushState.mock.lastCall?.[2]).toBe('/c/c')
})
