import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { RecordedRequests } from './recorded-requests.ts'

const requests = (...events: readonly object[]) => new RecordedRequests(events as readonly Event[])

test('an answer ends its request', () => {
  const answered = requests({ type: 'request.answered', requestId: 'a', decision: 'yes', by: 'ada', at: 3 })
  expect(answered.end('a')).toEqual({ how: 'answered', decision: 'yes', by: 'ada', at: 3 })
})

test('the answer to a request that was opened again is one to the first', () => {
  const reopened = requests(
    { type: 'request.opened', requestId: 'b', again: { requestId: 'a' } },
    { type: 'request.opened', requestId: 'c', again: { requestId: 'b' } },
    { type: 'request.answered', requestId: 'c', decision: 'yes', at: 3 },
  )
  expect(reopened.end('a')).toMatchObject({ how: 'answered', decision: 'yes' })
  expect(reopened.end('c')).toBeUndefined()
})

test('a deadline ends a request, an interrupt leaves it open', () => {
  expect(requests({ type: 'request.expired', requestId: 'a', reason: 'deadline', at: 3 }).end('a')).toEqual({
    how: 'expired',
    at: 3,
  })
  expect(requests({ type: 'request.expired', requestId: 'a', reason: 'interrupted', at: 3 }).end('a')).toBeUndefined()
})
