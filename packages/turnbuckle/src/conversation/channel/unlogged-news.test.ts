import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { appendJoined, UnloggedNews } from './unlogged-news.ts'

const common = { conversationId: 'c', at: 1, turnId: 't' }
const delta = (offset: number, text: string, more: object = {}): Event => ({
  ...common,
  type: 'message.delta',
  messageId: 'm',
  offset,
  text,
  ...more,
})
const inside = (event: object): Event =>
  ({ ...common, type: 'agent.event', callId: 'k', agent: 'scout', agentConversationId: 's', event }) as Event
const told = (news: UnloggedNews) =>
  news.soFar.map(event =>
    event.type === 'agent.event' ? `inside: ${event.event.type}` : `${event.type} ${(event as { text?: string }).text}`,
  )

test('who comes late is told text, reasoning and calls as far as they are written', () => {
  const news = new UnloggedNews()
  const call = { ...common, type: 'tool.delta' as const, messageId: 'm', callId: 'k', name: 'add' }
  for (const event of [
    delta(0, 'Hm.', { reasoning: true }),
    delta(0, 'One '),
    delta(4, 'two'),
    { ...call, offset: 0, text: '{"a"' },
    { ...call, offset: 4, text: ':1}' },
  ])
    news.hear(event)
  expect(told(news)).toEqual(['message.text Hm.', 'message.text One two', 'tool.text {"a":1}'])
  expect(news.soFar[1]).toMatchObject({ offset: 0, messageId: 'm', turnId: 't' })
  news.hear(delta(4, '2'))
  expect(told(news)[1]).toBe('message.text One 2')
  news.hear({ ...common, type: 'message.discarded', messageId: 'm', reason: 'again' })
  expect(told(news)).toEqual([])
})

test('sub-agents at work are told from their beginning, until the turn ends', () => {
  const news = new UnloggedNews()
  news.hear(inside({ ...common, type: 'message.started', conversationId: 's', seq: 1, messageId: 'x' }))
  news.hear(inside({ ...delta(0, 'Deep '), conversationId: 's', messageId: 'x' }))
  news.hear(inside({ ...delta(5, 'down'), conversationId: 's', messageId: 'x' }))
  expect(told(news)).toEqual(['inside: message.started', 'inside: message.text'])
  expect(news.soFar[1]).toMatchObject({ agent: 'scout', event: { text: 'Deep down', offset: 0 } })
  news.hear({ ...common, type: 'turn.stopped', outcome: 'stopped' } as Event)
  expect(told(news)).toEqual([])
})

test('deltas that go on where the last one ends become one', () => {
  const events: Event[] = []
  for (const event of [delta(0, 'a'), delta(1, 'b'), delta(0, 'c', { reasoning: true }), delta(2, 'd'), delta(9, 'e')])
    appendJoined(events, event)
  expect(events.map(event => (event as { text: string }).text)).toEqual(['ab', 'c', 'd', 'e'])
})
