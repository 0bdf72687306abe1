import { type Event, TurnbuckleError } from 'turnbuckle'
import { expect, test } from 'vitest'
import { withoutStoreDetails } from './without-store-details.ts'

const secret = 'No space left for "/home/ada/secret.db".'
const ends = (more: object = {}): Event =>
  ({ type: 'turn.failed', conversationId: 'c', at: 0, by: 'store', reason: secret, error: secret, ...more }) as never
const full = new TurnbuckleError('store.full', secret, { kind: 'store' })

test.each([
  {
    name: 'a known error of the store',
    error: full,
    words: 'The server has no space left to store this. (store.full)',
  },
  { name: 'an unknown error', error: new Error(secret), words: 'The server’s store has failed. (store.failed)' },
  { name: 'no error that is known here', error: undefined, words: 'The server’s store has failed. (store.failed)' },
])('an end by $name is told in the server’s words', ({ error, words }) => {
  expect(withoutStoreDetails(ends(), error)).toMatchObject({ reason: words, error: words })
})

test('so is that of a sub-agent, and an event that the log refused', () => {
  const inside = { type: 'agent.event', conversationId: 'c', at: 0, event: ends() } as never
  expect(JSON.stringify(withoutStoreDetails(inside))).not.toContain('secret')
  const refused = { type: 'log.refused', conversationId: 'c', at: 0, event: 'x', code: 'store.full', error: secret }
  expect(JSON.stringify(withoutStoreDetails(refused as never))).not.toContain('secret')
})

test('an event of the log, another end and another error stay as they are', () => {
  const others = [ends({ seq: 3 }), ends({ by: 'model' })]
  expect(others.map(event => withoutStoreDetails(event, full))).toEqual(others)
  const missing = new TurnbuckleError('tool.missing', 'There is no tool "x".')
  expect(withoutStoreDetails(ends(), missing)).toEqual(ends())
})
