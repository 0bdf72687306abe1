import { expect, test } from 'vitest'
import { waitingForMe } from './waiting-for-me.ts'

const member = { name: 'bob', role: 'member' } as const

test.each([
  { what: 'their own', me: member, one: { waiting: 2 }, is: 2 },
  { what: 'one they talk in', me: member, one: { waiting: 1, access: 'talk' } as const, is: 1 },
  { what: 'one they read', me: member, one: { waiting: 1, access: 'read' } as const, is: 0 },
  { what: 'any, for a viewer', me: { name: 'eve', role: 'viewer' } as const, one: { waiting: 1 }, is: 0 },
])('$what: $is', ({ me, one, is }) => {
  expect(waitingForMe(me, one)).toBe(is)
})
