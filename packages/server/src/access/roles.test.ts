import { expect, test } from 'vitest'
import { demandRole, hasRole, type Role } from './roles.ts'

const roles: readonly Role[] = ['owner', 'member', 'viewer']

test.each([
  { needed: 'owner', may: [true, false, false] },
  { needed: 'member', may: [true, true, false] },
  { needed: 'viewer', may: [true, true, true] },
] as const)('what a $needed may, those with more rights may too', ({ needed, may }) => {
  expect(roles.map(role => hasRole(() => role, 'ann', needed))).toEqual(may)
})

test('a role that is missing is an error with what was wanted', () => {
  expect(() => demandRole(() => 'member', 'ann', 'owner', 'switch guards')).toThrow(
    'Only owners switch guards. You are a member here.',
  )
})
