import { ClientError, type WireEvent, type WireRequest } from 'turnbuckle/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversation, givePage } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { answerRequest, noticeAnswersElsewhere } from './answer-request.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const request = (id: string): WireRequest => ({ id, kind: 'permission', payload: {}, turnId: 't', openedAt: 0 })
const answered = (requestId: string, decision: unknown): WireEvent =>
  ({ type: 'request.answered', conversationId: 'c', turnId: 't', at: 0, requestId, decision }) as WireEvent

test.each([
  {
    name: 'a second answer is told what was decided',
    error: new ClientError('request.answered', 'Over.', 409, { decision: 'deny' }),
    says: 'It was denied already.',
    known: false,
  },
  {
    name: 'an expired request is over',
    error: new ClientError('request.expired', 'Too late.', 410),
    says: 'Too late.',
    known: false,
  },
  {
    name: 'an answer that does not arrive can be given again',
    error: new ClientError('server.unreachable', 'The server does not answer.', 0),
    says: 'The server does not answer.',
    known: true,
  },
])('$name', async ({ error, says, known }) => {
  givePage({}, { answer: () => Promise.reject(error) })
  expect(await answerRequest('r1', {})).toBe(known)
  expect(useAppState.getState().notice?.text).toBe(says)
})

test('an answer from another page is told; the own answer is not', async () => {
  givePage({}, { answer: async () => {} })
  const state = conversation({ requests: [request('own'), request('other')] })
  await answerRequest('own', { decision: 'allow' })
  noticeAnswersElsewhere(state, [answered('own', { decision: 'allow' })])
  expect(useAppState.getState().notice).toBeUndefined()
  noticeAnswersElsewhere(state, [answered('other', { decision: 'allow' })])
  expect(useAppState.getState().notice).toEqual({ text: 'It was allowed elsewhere.', tone: 'news' })
})

test('an answer to a request that this page does not show is not told', () => {
  givePage({})
  noticeAnswersElsewhere(conversation(), [answered('unknown', 'yes')])
  expect(useAppState.getState().notice).toBeUndefined()
})

test.each([
  { given: 0, decision: 'allow', says: 'bob has said yes. The vote goes on.' },
  { given: 1, decision: 'allow', says: 'It was allowed by bob, elsewhere.' },
  { given: 0, decision: 'deny', says: 'It was denied by bob, elsewhere.' },
])('after $given of 2 votes, "$decision" is told as: $says', ({ given, decision, says }) => {
  givePage({})
  const state = conversation({ requests: [{ ...request('r'), payload: { quorum: { needed: 2, given } } }] })
  noticeAnswersElsewhere(state, [{ ...answered('r', { decision }), by: 'bob' } as WireEvent])
  expect(useAppState.getState().notice?.text).toBe(says)
})
