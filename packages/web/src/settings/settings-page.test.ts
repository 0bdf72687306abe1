import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import SettingsPage from './settings-page.tsx'

const me = (role: string) => ({ name: 'ann', role }) as never

test('the section of the address is shown; one that the role may not see gives way to the first it may', () => {
  const shown = (role: string, settingsSection: string) => draw(SettingsPage, {}, { me: me(role), settingsSection })
  expect(shown('owner', 'tools')).toContain('<h2 id="settings-title">Tools</h2>')
  expect(shown('viewer', 'people')).toContain('<h2 id="settings-title">Middleware and hooks</h2>')
})

test('until it is known who this is, the settings load', () => {
  expect(draw(SettingsPage, {}, { settingsSection: '' })).toContain('Loading the settings …')
})
