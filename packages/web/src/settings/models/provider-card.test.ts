import type { WireSettings, WireVariable } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { ProviderCard } from './provider-card.tsx'

const shown = (key: WireVariable) =>
  draw(ProviderCard, {
    provider: { name: 'openai', about: 'GPT', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
    settings: { env: { OPENAI_API_KEY: key } } as unknown as WireSettings,
    change: async () => true,
  })

test.each([
  { key: { set: false, from: 'default' }, says: 'No key is set.', removable: false },
  { key: { set: true, from: 'user' }, says: 'Set in your file.', removable: true },
  {
    key: { set: true, from: 'environment', place: 'OPENAI_API_KEY', fixed: true },
    says: 'Fixed by the environment: OPENAI_API_KEY',
    removable: false,
  },
] as const)('of a key it is told whether it is set: $says', ({ key, says, removable }) => {
  const html = shown(key)
  expect(html).toContain(says)
  expect(html).toMatch(/id="OPENAI_API_KEY" type="password"[^>]*value=""/)
  expect(html.includes('Remove the key')).toBe(removable)
})
