import type { SharedTurns } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { CalledElsewhere } from './called-elsewhere.ts'

test('a sub-agent that has ended is not told to stop when the turn of its caller ends', async () => {
  const asked: string[] = []
  const shared = {
    async ask(_: string, { type }: { readonly type: string }) {
      asked.push(type)
      return undefined
    },
  } as unknown as SharedTurns
  const engine = { workForCaller: async () => ({ state: 'ended' }) as const }
  const here = { stop: () => false, replace: () => true }
  const called = new CalledElsewhere(
    engine,
    () => shared,
    () => here,
  )
  let leave = () => {}
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  const caller = { conversationId: 'c', turnId: 't', callId: 'a', tool: 'helper' }
  const { signal } = new AbortController()
  await called.run({ conversationId: 's', caller, signal, left, hear: async () => null })
  leave()
  await left
  expect(asked).toEqual([])
})
