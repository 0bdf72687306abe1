import { expect, test } from 'vitest'
import { draw } from '../test/draw.ts'
import { SettingsView } from './settings-view.tsx'

test('while the code of the settings is loaded their place is kept', () => {
  expect(draw(SettingsView, {})).toContain('Loading the settings …')
})
