import type { WireMiddleware } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { offText } from './guard-strip.tsx'

const guard: WireMiddleware = { name: 'asks', enabled: false, priority: 1, guard: true, hooks: [], switchable: [] }

test.each([
  {
    what: 'with deny rules',
    more: { holdsWhenOff: true as const },
    says: 'is off for everyone. Only its deny rules hold.',
  },
  { what: 'without deny rules', more: {}, says: 'is off for everyone.' },
])('a guard $what that is off says: $says', ({ more, says }) => {
  expect(offText({ ...guard, ...more }, 'c')).toBe(says)
})
