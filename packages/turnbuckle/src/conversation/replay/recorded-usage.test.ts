import type { Event, Message } from 'turnbuckle'
import { expect, test } from 'vitest'
import { RecordedUsage } from './recorded-usage.ts'

const reply = (id: string): Message => ({ id, role: 'assistant', content: [] })
const recorded = (more: object = {}, total = { inputTokens: 10, outputTokens: 2 }) =>
  new RecordedUsage(
    [
      { type: 'usage', messageId: 'a', inputTokens: 10, outputTokens: 2, total, ...more },
    ] as unknown as readonly Event[],
    { usage: total } as never,
  )

test('a reply tells the usage of the record', () => {
  expect(recorded().chunk(reply('a'))).toMatchObject({ type: 'usage', inputTokens: 10, outputTokens: 2 })
  expect(recorded().chunk(reply('b'))).toBeUndefined()
})

test('a usage that was estimated is not told', () => {
  expect(recorded({ estimated: true }).chunk(reply('a'))).toBeUndefined()
})

test('usage beside the replies, of sub-agents and failed attempts, counts again', () => {
  const now = { inputTokens: 10, outputTokens: 2 }
  expect(recorded().withBesides(now, [reply('a')])).toMatchObject(now)
  expect(recorded({}, { inputTokens: 15, outputTokens: 3 }).withBesides(now, [reply('a')])).toMatchObject({
    inputTokens: 15,
    outputTokens: 3,
  })
})
