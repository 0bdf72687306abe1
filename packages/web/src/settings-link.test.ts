import { expect, test } from 'vitest'
import { draw } from '../test/draw.ts'
import { SettingsAnchor, SettingsLink } from './settings-link.tsx'

test('a section has a real link, marked where it is shown', () => {
  const html = draw(SettingsAnchor, { section: 'tools', current: true, children: 'Tools' })
  expect(html).toBe('<a class="link" href="/settings/tools" aria-current="page">Tools</a>')
})

test('the link below the list is marked while the settings are shown', () => {
  expect(draw(SettingsLink, {}, { settingsSection: '' })).toContain('aria-current="page"')
  expect(draw(SettingsLink, {})).not.toContain('aria-current')
})
