import { afterEach, expect, test, vi } from 'vitest'
import { draw } from '../../test/draw.ts'
import { NotifyButton } from './notify-button.tsx'

afterEach(() => vi.unstubAllGlobals())

test.each([
  { permission: 'default', isOffered: true },
  { permission: 'granted', isOffered: false },
  { permission: 'denied', isOffered: false },
])('where the browser says "$permission" it is offered: $isOffered', ({ permission, isOffered }) => {
  vi.stubGlobal('window', { Notification: { permission }, isSecureContext: true })
  vi.stubGlobal('Notification', { permission })
  vi.stubGlobal('isSecureContext', true)
  expect(draw(NotifyButton, {}).includes('Notify me')).toBe(isOffered)
})
