import type { Conversation, Event } from 'turnbuckle'
import type { SharedTurns } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { FollowedLog } from './followed-log.ts'

test('a turn that is lost without an error has its end told, and nothing is reported', async () => {
  const event = (more: object): Event => ({ conversationId: 'c', at: 0, turnId: 't', ...more }) as unknown as Event
  let hear: (event: Event) => void = () => {}
  const subscribe = (listener: { event(event: Event): void }) => {
    hear = listener.event
    return () => {}
  }
  const reported: unknown[] = []
  const log = new FollowedLog({ id: 'c', subscribe } as unknown as Conversation, {
    log: [event({ seq: 1, type: 'turn.started', parent: null })],
    resume: () => undefined,
    tellNews: () => {},
    report: error => reported.push(error),
    shared: {} as SharedTurns,
  })
  const told: unknown[] = []
  log.feed.follow(1, one => void told.push(one))
  hear(event({ type: 'turn.failed', outcome: 'failed', by: 'store', reason: 'r', error: '/home/ada' }))
  await expect.poll(() => told).toMatchObject([{ type: 'turn.failed', error: expect.stringContaining('store.failed') }])
  expect(reported).toEqual([])
})
