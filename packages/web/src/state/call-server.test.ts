import { ClientError } from 'turnbuckle/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { givePage } from '../../test/conversation.ts'
import { useAppState } from './app-state.ts'
import { callServer } from './call-server.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a call gives the answer of the client', async () => {
  givePage({}, { permissions: async () => [] })
  expect(await callServer(client => client.permissions())).toEqual([])
  expect(useAppState.getState().notice).toBeUndefined()
})

test.each([
  {
    name: 'a refusal of the server',
    error: new ClientError('turn.running', 'A turn runs.', 409),
    says: 'A turn runs.',
  },
  { name: 'any other error', error: new TypeError('broken'), says: 'TypeError: broken' },
])('$name is shown, and the call gives nothing', async ({ error, says }) => {
  givePage({})
  expect(await callServer(() => Promise.reject(error))).toBeUndefined()
  expect(useAppState.getState().notice).toEqual({ text: says, tone: 'bad' })
})

test('without a client nothing is called', async () => {
  const work = vi.fn()
  expect(await callServer(work)).toBeUndefined()
  expect(work).not.toHaveBeenCalled()
})
