import { expect, test } from 'vitest'
import { leaveHead, takeWayBack, useWayBack } from './way-back.ts'

test('the way back leads over the heads that were left, last first; another conversation has its own', () => {
  leaveHead('one', 'a')
  leaveHead('one', 'b')
  expect([takeWayBack(), takeWayBack(), takeWayBack()]).toEqual(['b', 'a', undefined])
  leaveHead('one', 'a')
  leaveHead('two', 'x')
  expect(useWayBack.getState()).toEqual({ conversationId: 'two', heads: ['x'] })
})
