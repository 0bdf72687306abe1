import { expect, test } from 'vitest'
import type { Usage } from '../base/ports.ts'
import type { Event, TurnEnded } from '../events/events.ts'
import { UnattributedUsage } from './unattributed-usage.ts'

const tokens = (inputTokens: number, outputTokens: number, cost = 0): Usage => ({ inputTokens, outputTokens, cost })
const ended = (usage: Usage, elsewhere?: Usage): TurnEnded => ({
  type: 'turn.completed',
  outcome: 'completed',
  reason: 'done',
  by: 'model',
  text: '',
  usage,
  ...(elsewhere ? { elsewhere } : {}),
})

test('usage that no message has is what is left of the turn’s', () => {
  const unattributed = new UnattributedUsage()
  unattributed.addMessage('t', tokens(10, 5))
  unattributed.addMessage('other', tokens(100, 100))
  expect(unattributed.atEnd('t', ended(tokens(12, 5)), [])).toEqual(tokens(2, 0))
})

test('nothing is left where every token is a message’s, before the turn was resumed or since', () => {
  const unattributed = new UnattributedUsage()
  unattributed.addMessage('t', tokens(10, 5))
  const before = [{ type: 'usage', messageId: 'm', total: tokens(3, 2), ...tokens(3, 2) }] as unknown as Event[]
  expect(unattributed.atEnd('t', ended(tokens(13, 7)), before)).toBeUndefined()
})

test('what other turns of the conversation count is not counted again', () => {
  const unattributed = new UnattributedUsage()
  unattributed.addMessage('t', tokens(10, 5, 1))
  expect(unattributed.atEnd('t', ended(tokens(23, 11, 2.5), tokens(10, 5, 1)), [])).toEqual(tokens(3, 1, 0.5))
})

test('a call that told no cost is a message’s where the message has none', () => {
  const unattributed = new UnattributedUsage()
  unattributed.addMessage('t', { inputTokens: 10, outputTokens: 5 })
  const total = { inputTokens: 13, outputTokens: 6, knownCost: 0.5, unknownCalls: 1 }
  expect(unattributed.atEnd('t', ended(total), [])).toEqual(tokens(3, 1, 0.5))
})
