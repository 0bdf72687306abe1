import type { WireRequest } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { formatMoment } from '../ui/format-moment.ts'
import { requestPeople } from './request-people.ts'

const request: WireRequest = { id: 'r', kind: 'permission', payload: {}, turnId: 't', openedAt: 0 }

test('a question to its owner alone says nothing of people', () => {
  expect(requestPeople(request)).toEqual([])
  expect(requestPeople({ ...request, payload: null })).toEqual([])
})

test('a vote says how it stands and who has voted', () => {
  const payload = { quorum: { needed: 3, given: 2 } }
  expect(requestPeople({ ...request, payload, to: ['*'], voted: ['ada', 'bob'] })).toEqual([
    '2 of 3 have said yes: ada, bob. One no is enough.',
  ])
})

test('a question to others says whose it is, whom it asks, and why again', () => {
  const again = { requestId: 'q', problem: 'An even number, please.' }
  expect(requestPeople({ ...request, to: ['lead'], again }, 'ada')).toEqual([
    'The agent of ada asks you.',
    'Asked of lead.',
    'The answer before could not be used: An even number, please.',
  ])
})

test('a question that was passed on says by whom', () => {
  expect(requestPeople({ ...request, to: ['cfo'], payload: { from: 'bob' } })).toEqual([
    'Asked of cfo.',
    'Passed on by bob.',
  ])
})

test('a question that goes on to somebody else says when, and to whom', () => {
  const deadline = Date.now() + 60_000
  expect(requestPeople({ ...request, to: ['bob'], deadline, payload: { next: 'lead' } })).toEqual([
    'Asked of bob.',
    `If nobody answers by ${formatMoment(deadline)}, lead is asked.`,
  ])
})
