import { expect, test } from 'vitest'
import { waiting } from '../../../test/support/approval-question.ts'
import { type ApprovalOptions, approval } from './approval.ts'
import { memoryPermissions } from './grants.ts'

test.each([
  { fallback: undefined, turn: 'completed', result: 'denied' },
  { fallback: 'deny' as const, turn: 'completed', result: 'denied' },
  { fallback: 'allow' as const, turn: 'completed', result: 'ok' },
  { fallback: 'stop' as const, turn: 'stopped', result: 'blocked' },
])('when nobody answers: $fallback', async ({ fallback, turn, result }) => {
  const asked = await waiting({ timeout: 1000, ...(fallback ? { fallback } : {}) })
  await asked.clock.advance(1000)
  expect((await asked.turn).status).toBe(turn)
  expect(await asked.status()).toBe(result)
})

test('a question goes on to the next person, and the first can no longer answer', async () => {
  const asked = await waiting({ timeout: 1000, escalate: [{ after: 100, to: 'lead' }] })
  const first = asked.request()
  expect(first.payload).not.toHaveProperty('to')
  expect(first).toMatchObject({ payload: { next: 'lead' }, deadline: 100 })
  await asked.clock.advance(100)
  expect(asked.request().payload).toMatchObject({ name: 'send', to: 'lead' })
  expect(asked.request().payload).not.toHaveProperty('next')
  expect(() => asked.turn.answer(first.id, { decision: 'allow' })).toThrow(
    expect.objectContaining({ code: 'request.expired' }),
  )
  asked.turn.answer(asked.request().id, { decision: 'allow' })
  expect(await asked.status()).toBe('ok')
})

test('only the owner and those whom the question names may answer it', async () => {
  const asked = await waiting({ to: ['bob', 'carol'], escalate: [{ after: 100, to: 'lead' }] })
  const answer = (by: string) => asked.turn.answer(asked.request().id, { decision: 'allow' }, { by, owner: 'alice' })
  const foreign = expect.objectContaining({ code: 'request.foreign' })
  expect(asked.request()).toMatchObject({ to: ['bob', 'carol'], payload: { to: 'bob, carol' } })
  expect(() => answer('lead')).toThrow(foreign)
  await asked.clock.advance(100)
  expect(asked.request()).toMatchObject({ to: ['lead'], payload: { to: 'lead' } })
  expect(() => answer('bob')).toThrow(foreign)
  answer('lead')
  expect(await asked.status()).toBe('ok')
  const other = await waiting({ to: 'bob' })
  other.turn.answer(other.request().id, { decision: 'allow' }, { by: 'alice', owner: 'alice' })
  expect(await other.status()).toBe('ok')
})

test.each<{ how: string; options: ApprovalOptions }>([
  { how: 'by the quorum', options: { quorum: { needed: 2, of: ['bob', 'carol'] } } },
  { how: 'by `to`', options: { quorum: 2, to: ['bob', 'carol'] } },
])('the votes of a quorum may be those of people named $how', async ({ options }) => {
  const asked = await waiting(options)
  const answer = (by: string) => asked.turn.answer(asked.request().id, { decision: 'allow' }, { by, owner: 'alice' })
  expect(() => answer('eve')).toThrow(expect.objectContaining({ code: 'request.foreign' }))
  answer('carol')
  await asked.clock.advance(0)
  expect(asked.request()).toMatchObject({ to: ['bob', 'carol'], voted: ['carol'] })
  answer('alice')
  expect(await asked.status()).toBe('ok')
})

test.each<{ name: string; delegate: ApprovalOptions['delegate']; result: string }>([
  { name: 'a yes', delegate: () => 'allow', result: 'ok' },
  { name: 'a no', delegate: async () => ({ decision: 'deny', reason: 'too dear' }), result: 'denied' },
  { name: 'nothing', delegate: () => undefined, result: 'denied' },
  {
    name: 'a failure',
    delegate: () => {
      throw new Error('away')
    },
    result: 'denied',
  },
])('nobody answers, and code decides: $name', async ({ delegate, result }) => {
  const asked = await waiting({ timeout: 1000, ...(delegate ? { delegate } : {}) })
  await asked.clock.advance(1000)
  expect(await asked.status()).toBe(result)
})

test('nobody answers, and somebody else is asked, who does not answer either', async () => {
  const asked = await waiting({ timeout: 1000, delegate: ({ name }) => ({ to: `${name}-lead`, timeout: 50 }) })
  await asked.clock.advance(1000)
  expect(asked.request()).toMatchObject({ to: ['send-lead'], deadline: 1050 })
  await asked.clock.advance(50)
  expect(await asked.status()).toBe('denied')
})

test('a quorum needs different people, and one no is enough', async () => {
  const asked = await waiting({ quorum: 2 })
  const answer = (value: object, by?: string) => asked.turn.answer(asked.request().id, value, { by })
  const refused = expect.objectContaining({ code: 'request.invalid' })
  expect(() => answer({ decision: 'allow' })).toThrow(refused)
  expect(() => answer({ decision: 'allow', by: 'alice' }, 'alice')).toThrow(refused)
  expect(() => answer({ decision: 'allow', args: {} }, 'alice')).toThrow(refused)
  answer({ decision: 'allow' }, 'alice')
  await asked.clock.advance(0)
  expect(asked.request().payload).toMatchObject({ quorum: { needed: 2, given: 1 } })
  expect(() => answer({ decision: 'allow' }, 'alice')).toThrow(refused)
  answer({ decision: 'allow' }, 'bob')
  expect(await asked.status()).toBe('ok')
  const again = await waiting({ quorum: 2 })
  again.turn.answer(again.request().id, { decision: 'deny' }, { by: 'bob' })
  expect(await again.status()).toBe('denied')
})

test.each<{ votes: object[]; kept: object[] }>([
  { votes: [{}, { scope: 'always' }], kept: [] },
  { votes: [{ scope: 'always' }, { scope: 'conversation' }], kept: [] },
  {
    votes: [
      { scope: 'always', uses: 9, expires: 500 },
      { scope: 'always', uses: 5 },
    ],
    kept: [{ scope: 'always', by: '0, 1', usesLeft: 4, expiresAt: 500 }],
  },
])('a quorum says yes for longer only together: $votes', async ({ votes, kept }) => {
  const store = memoryPermissions()
  const asked = await waiting({ quorum: 2, store })
  for (const [by, vote] of votes.entries()) {
    asked.turn.answer(asked.request().id, { decision: 'allow', ...vote }, { by: String(by) })
    await asked.clock.advance(0)
  }
  expect(await asked.status()).toBe('ok')
  expect(await store.list(asked.clock)).toMatchObject(kept)
  expect(await store.list(asked.clock)).toHaveLength(kept.length)
})

test.each([
  { decision: 'maybe' },
  { decision: 'allow', scope: 'forever' },
  { decision: 'allow', scope: 'always', pattern: '*' },
  { decision: 'allow', scope: 'always', uses: 0 },
  { decision: 'allow', scope: 'always', expires: -1 },
])('an answer that makes no sense is refused, and the question stays: %o', async answer => {
  const asked = await waiting({})
  expect(() => asked.turn.answer(asked.request().id, answer)).toThrow(
    expect.objectContaining({ code: 'request.invalid' }),
  )
  asked.turn.answer(asked.request().id, { decision: 'deny' })
  expect(await asked.status()).toBe('denied')
})

test('a quorum that more people would have to give than can vote is refused', () => {
  expect(() => approval({ to: 'ann', quorum: 3 })).toThrow('3 votes are needed, and only ann and the owner can vote')
  expect(() => approval({ to: 'ann', quorum: 2 })).not.toThrow()
  expect(() => approval({ quorum: 3 })).not.toThrow()
})
