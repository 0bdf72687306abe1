import { expect, test } from 'vitest'
import type { Event } from '../events/events.ts'
import { UnattributedUsage } from './unattributed-usage.ts'

const tokens = (inputTokens: number, outputTokens: number, cost = 0) => ({ inputTokens, outputTokens, cost })

test('usage that no message has is what is left of the turn’s', () => {
  const unattributed = new UnattributedUsage()
  unattributed.addMessage('t', tokens(10, 5))
  unattributed.addMessage('other', tokens(100, 100))
  expect(unattributed.atEnd('t', tokens(12, 5), [])).toEqual(tokens(2, 0))
})

test('nothing is left where every token is a message’s, before the turn was resumed or since', () => {
  const unattributed = new UnattributedUsage()
  unattributed.addMessage('t', tokens(10, 5))
  const before = [{ type: 'usage', messageId: 'm', total: tokens(3, 2), ...tokens(3, 2) }] as unknown as Event[]
  expect(unattributed.atEnd('t', tokens(13, 7), before)).toBeUndefined()
})
