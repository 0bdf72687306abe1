import { expect, test } from 'vitest'
import { conversation } from '../../../test/conversation.ts'
import { draw } from '../../../test/draw.ts'
import OwnSettingsDialog from './own-settings-dialog.tsx'

test('it has what the open conversation has of its own, or what the next new one gets', () => {
  const settings = { instructions: 'Be brief.', params: { temperature: 0.5 } }
  const open = draw(OwnSettingsDialog, { done: () => {} }, { openId: 'c', conversation: conversation({ settings }) })
  expect(open).toMatch(/Be brief\..*id="own-temperature"[^>]*value="0.5"/s)
  const next = draw(OwnSettingsDialog, { done: () => {} }, { newSettings: { instructions: 'Be kind.' } })
  expect(next).toContain('Be kind.')
})
