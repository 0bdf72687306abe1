import { expect, test } from 'vitest'
import { sectionsFor } from './settings-sections.ts'

test.each([
  { role: 'owner', ids: ['models', 'behaviour', 'tools', 'mcp', 'middleware', 'people', 'audit'] },
  { role: 'member', ids: ['tools', 'mcp', 'middleware'] },
  { role: 'viewer', ids: ['middleware'] },
] as const)('an $role sees $ids', ({ role, ids }) => {
  expect(sectionsFor(role).map(({ id }) => id)).toEqual(ids)
})
