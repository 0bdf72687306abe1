import type { Event } from 'turnbuckle'
import { ConversationView, type WireEvent } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { gate } from '../../test/serve.ts'
import { EventFeed, type EventFeedOptions } from './event-feed.ts'

const event = (seq: number | undefined, type = 'title.changed'): Event =>
  ({ type, conversationId: 'c', at: 0, ...(seq === undefined ? {} : { seq }), to: `${seq}` }) as unknown as Event

function feedOf(log: readonly Event[], options: Partial<EventFeedOptions> = {}) {
  const logged: (number | undefined)[] = []
  const view = ConversationView.ofLog('c')
  const feed = new EventFeed({ id: 'c', view, log, onEvent: ({ seq }) => logged.push(seq), ...options })
  const told: (Event | WireEvent)[] = []
  return { feed, view, logged, told, tell: (one: Event | WireEvent) => void told.push(one) }
}
const seqs = (events: readonly object[]) => events.map(one => (one as { seq?: number }).seq)

test('a follower is told the log after its number, then what comes, each once', () => {
  const { feed, view, told, logged, tell } = feedOf([event(1), event(2)])
  const stop = feed.follow(1, tell)
  feed.hear(event(3))
  feed.hear(event(3))
  stop()
  feed.hear(event(4))
  expect([seqs(told), logged, view.state.title]).toEqual([[2, 3], [3, 4], '4'])
})

test('a number that the log does not have is answered with resync', () => {
  const { feed, told, tell } = feedOf([event(1)])
  feed.follow(9, tell)
  expect(told).toMatchObject([{ type: 'resync', seq: 1 }])
})

test('events of another process are read before an event that comes behind them', async () => {
  const read = gate<readonly Event[]>()
  const { feed, told, tell } = feedOf([event(1)], { read: () => read.opened })
  feed.follow(1, tell)
  feed.hear(event(4))
  feed.hear(event(5))
  expect(told).toEqual([])
  read.open([event(2), event(3), event(4)])
  expect(await feed.until(() => feed.seq === 5, 10_000)).toBe(true)
  expect(seqs(told)).toEqual([2, 3, 4, 5])
})

test('a gap that cannot be read is told as resync', async () => {
  const { feed, told, tell } = feedOf([event(1)], { read: () => Promise.reject(new Error('no')) })
  feed.follow(1, tell)
  feed.hear(event(4))
  expect(await feed.until(() => feed.seq === 4, 10_000)).toBe(true)
  expect(told).toMatchObject([{ type: 'resync', seq: 3 }, { seq: 4 }])
})

test('a late follower is told the text so far; an end that the log does not have leaves none', () => {
  const { feed, told, tell } = feedOf([event(1)])
  feed.hearDelta({ turnId: 't', messageId: 'm', text: 'He', offset: 0, reasoning: false })
  feed.hearDelta({ turnId: 't', messageId: 'm', text: 'y', offset: 2, reasoning: false })
  feed.follow(1, tell)
  expect(told).toMatchObject([{ type: 'message.text', messageId: 'm', text: 'Hey', offset: 0 }])
  feed.hear({ ...event(undefined, 'turn.failed'), turnId: 't', outcome: 'failed' } as unknown as Event)
  const later: (Event | WireEvent)[] = []
  feed.follow(1, one => void later.push(one))
  expect(later).toEqual([])
})

test('a reader that has enough is told the rest when it can take more, and is watching meanwhile', async () => {
  const { feed, told, tell } = feedOf([event(1), event(2)])
  const more = gate()
  const waits = [undefined, more.opened]
  feed.follow(0, tell, { past: () => waits.shift() })
  expect([seqs(told), feed.isWatched]).toEqual([[1], true])
  more.open()
  await more.opened
  expect(seqs(told)).toEqual([1, 2])
})

test('a late follower is told what sub-agents have done and are writing, until the turn they work for has ended', () => {
  const { feed, told, tell } = feedOf([event(1)])
  const inside = (more: object): Event =>
    ({
      ...event(undefined, 'agent.event'),
      turnId: 't',
      callId: 'a',
      agent: 'scout',
      agentConversationId: 's',
      event: { conversationId: 's', turnId: 'st', at: 0, ...more },
    }) as unknown as Event
  const call = { callId: 'x', messageId: 'm', name: 'look', args: {} }
  feed.hear(inside({ type: 'tool.pending', seq: 4, ...call }))
  feed.hear(inside({ type: 'message.delta', messageId: 'n', text: 'He', offset: 0 }))
  feed.hear(inside({ type: 'message.delta', messageId: 'n', text: 'y', offset: 2 }))
  feed.follow(1, tell)
  expect(told).toMatchObject([
    { type: 'agent.event', turnId: 't', event: { type: 'tool.pending', seq: 4 } },
    { type: 'agent.event', turnId: 't', callId: 'a', event: { type: 'message.text', messageId: 'n', text: 'Hey' } },
  ])
  feed.hear({ ...event(2, 'turn.completed'), turnId: 't', outcome: 'completed' } as unknown as Event)
  const later: unknown[] = []
  feed.follow(2, one => void later.push(one))
  expect(later).toEqual([])
})

test('spans are told to the followers that asked for them, until they leave', () => {
  const { feed, told, tell } = feedOf([])
  const deaf: (Event | WireEvent)[] = []
  feed.follow(0, one => void deaf.push(one))
  expect(feed.hearsSpans).toBe(false)
  const stop = feed.follow(0, tell, undefined, true)
  expect(feed.hearsSpans).toBe(true)
  const span = { type: 'trace.span', conversationId: 'c' } as WireEvent
  feed.tellSpan(span)
  stop()
  feed.tellSpan(span)
  expect([told, deaf, feed.hearsSpans]).toEqual([[span], [], false])
})
