import { TurnbuckleError } from 'turnbuckle'
import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { calls } from './contract.ts'
import { httpError, isServersFault } from './http-error.ts'

test.each([
  { code: 'body.invalid', status: 400 },
  { code: 'token.invalid', status: 401 },
  { code: 'turn.missing', status: 404 },
  { code: 'conversation.locked', status: 409 },
])('$code is answered with $status, its code and its message', ({ code, status }) => {
  expect(httpError(new TurnbuckleError(code, 'Why.'))).toEqual({ status, body: { error: { code, message: 'Why.' } } })
})

test.each([
  { code: 'store.full', status: 507 },
  { code: 'store.readonly', status: 503 },
  { code: 'store.unwritable', status: 503 },
  { code: 'store.unreachable', status: 503 },
  { code: 'store.locked', status: 503 },
  { code: 'store.damaged', status: 503 },
  { code: 'store.failed', status: 503 },
])('$code is answered with $status in words that tell nothing of the server, and is its fault', ({ code, status }) => {
  const answer = httpError(new TurnbuckleError(code, '"/srv/data/chat.db" is in the way.'))
  expect(answer).toEqual({ status, body: { error: { code, message: expect.stringContaining('store') } } })
  expect(JSON.stringify(answer)).not.toContain('/srv')
  expect(isServersFault(answer)).toBe(true)
})

test('an answered request carries what was decided', () => {
  const error = new TurnbuckleError('request.answered', 'Done.', { cause: { decision: 'allow' } })
  expect(httpError(error).body.decision).toEqual({ decision: 'allow' })
})

test.each([new Error('password=hunter2'), new TurnbuckleError('tool.secret', 'password=hunter2'), 'hunter2'])(
  'an error without a status is answered with 500 and tells nothing: %s',
  error => {
    const { status, body } = httpError(error)
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('hunter2')
  },
)

const promised = Object.entries<Call>(calls).flatMap(([name, { errors = {} }]) =>
  Object.entries(errors).flatMap(([status, codes]) =>
    codes.split(', ').map(code => ({ name, code, status: Number(status) })),
  ),
)
test.each(promised)('$name answers $code with the $status of its contract', ({ code, status }) => {
  expect(httpError(new TurnbuckleError(code, 'Why.')).status).toBe(status)
})
