import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { restateSubAgents } from './restate-sub-agents.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an answer of Restate that is tried again is let go of, with its connection', async () => {
  const cancel = vi.fn()
  const answers = [
    new Response(new ReadableStream({ cancel }), { status: 503 }),
    new Response(JSON.stringify({ state: 'ended' })),
  ]
  vi.stubGlobal('fetch', async () => answers.shift())
  const caller = { conversationId: 'c', turnId: 't', callId: 'a', tool: 'helper' }
  const { signal } = new AbortController()
  const engine = restateSubAgents({ ingress: 'http://restate' })
  const stand = engine.workForCaller({ conversationId: 's', caller, session: '1' }, signal)
  await vi.advanceTimersByTimeAsync(500)
  expect(await stand).toEqual({ state: 'ended' })
  expect(cancel).toHaveBeenCalledOnce()
})
