import { expect, test } from 'vitest'
import { keepMembers } from './kept-members.ts'

test('members that are kept are copied, but for those that are undefined', () => {
  const event = { type: 'turn.failed', reason: 'fail', text: 'Hi', error: undefined }
  expect(keepMembers(event, { reason: true, text: false, error: true })).toStrictEqual({ reason: 'fail' })
})
