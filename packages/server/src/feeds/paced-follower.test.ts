import type { Event } from 'turnbuckle'
import { ConversationView, type WireEvent } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { gate } from '../../test/serve.ts'
import { EventFeed } from './event-feed.ts'

const event = (seq: number | undefined, more: object = {}): Event =>
  ({ conversationId: 'c', at: 0, type: 'own.note', ...(seq === undefined ? {} : { seq }), ...more }) as unknown as Event

/** A feed with a follower that can take one event, and then has enough until it is told to go on. */
function followedFeed() {
  const feed = new EventFeed({ id: 'c', view: ConversationView.ofLog('c'), log: [event(1)], onEvent() {} })
  const told: (Event | WireEvent)[] = []
  const more = gate()
  let isFull = false
  const pace = { past: () => undefined, live: () => (isFull ? more.opened : undefined) }
  const leave = feed.follow(1, one => void told.push(one), pace)
  const fill = () => {
    isFull = true
  }
  const goOn = async () => {
    isFull = false
    more.open()
    await more.opened
  }
  return { feed, told, fill, goOn, leave }
}
const agentEvent = (seq: number, turnId = 't'): Event =>
  event(undefined, {
    type: 'agent.event',
    turnId,
    callId: 'a',
    agent: 'scout',
    agentConversationId: 's',
    event: { conversationId: 's', turnId: 'st', at: 0, type: 'own.note', seq },
  })

test('one that has enough is told the log’s events later, once, and a text that grew in one piece', async () => {
  const { feed, told, fill, goOn } = followedFeed()
  feed.hear(event(2))
  fill()
  feed.hear(event(3))
  feed.hearDelta({ turnId: 't', messageId: 'm', text: 'He', offset: 0, reasoning: false })
  feed.hearDelta({ turnId: 't', messageId: 'm', text: 'y', offset: 2, reasoning: false })
  expect([told.length, feed.isWatched]).toEqual([1, true])
  await goOn()
  feed.hear(event(4))
  expect(told).toMatchObject([{ seq: 2 }, { seq: 3 }, { type: 'message.text', text: 'Hey', offset: 0 }, { seq: 4 }])
})

test('what sub-agents do meanwhile is told once', async () => {
  const { feed, told, fill, goOn } = followedFeed()
  feed.hear(agentEvent(1))
  fill()
  feed.hear(agentEvent(2))
  await goOn()
  feed.hear(agentEvent(3))
  expect(told).toMatchObject([{ event: { seq: 1 } }, { event: { seq: 2 } }, { event: { seq: 3 } }])
})

test('what sub-agents of one turn did is told once, although the turn of the last that was told has ended meanwhile', async () => {
  const { feed, told, fill, goOn } = followedFeed()
  feed.hear(agentEvent(1, 'running'))
  feed.hear(agentEvent(2, 'ending'))
  fill()
  feed.hear(event(2, { type: 'turn.completed', turnId: 'ending', outcome: 'completed', usage: {} }))
  await goOn()
  expect(told).toMatchObject([{ event: { seq: 1 } }, { event: { seq: 2 } }, { type: 'turn.completed' }])
})

test('an end of a turn that the log does not have is told later', async () => {
  const { feed, told, fill, goOn } = followedFeed()
  fill()
  feed.hear(event(undefined, { type: 'turn.failed', turnId: 't', outcome: 'failed' }))
  expect(told).toEqual([])
  await goOn()
  expect(told).toMatchObject([{ type: 'turn.failed' }])
})

test('an end that the log does not have is not told behind later events of its turn: the turn has gone on', async () => {
  const { feed, told, fill, goOn } = followedFeed()
  fill()
  feed.hear(event(2, { type: 'turn.started', turnId: 't' }))
  feed.hear(event(undefined, { type: 'turn.failed', turnId: 't', outcome: 'failed' }))
  feed.hear(event(undefined, { type: 'turn.failed', turnId: 'other', outcome: 'failed' }))
  feed.hear(event(3))
  feed.hear(event(4, { type: 'turn.resumed', turnId: 't' }))
  await goOn()
  expect(told).toMatchObject([{ seq: 2 }, { seq: 3 }, { seq: 4 }, { type: 'turn.failed', turnId: 'other' }])
})

test('that the log has refused an event is told later', async () => {
  const { feed, told, fill, goOn } = followedFeed()
  fill()
  feed.hear(event(undefined, { type: 'log.refused', event: 'title.changed', code: 'store.full', error: 'Full.' }))
  feed.hear(event(2))
  await goOn()
  expect(told).toMatchObject([{ seq: 2 }, { type: 'log.refused', code: 'store.full' }])
})

test('a deletion is told at once, and nothing after it', async () => {
  const { feed, told, fill, goOn } = followedFeed()
  fill()
  feed.hear(event(2))
  feed.tellDeleted()
  await goOn()
  expect(told).toMatchObject([{ type: 'conversation.deleted' }])
  expect(feed.isWatched).toBe(false)
})

test('one that has left meanwhile is told nothing more', async () => {
  const { feed, told, fill, goOn, leave } = followedFeed()
  fill()
  feed.hear(event(2))
  leave()
  await goOn()
  expect(told).toEqual([])
})
