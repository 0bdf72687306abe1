import type { TurnOrder, TurnStand, TurnWorker } from '@turnbuckle/server'
import { expect, test } from 'vitest'
import { conversationService, restateServices } from './restate-services.ts'

interface Kept {
  run<Result>(name: string, act: () => Promise<Result>): Promise<Result>
}
type Work = (ctx: Kept, order: TurnOrder) => Promise<TurnStand>

/** What Restate keeps of one call: an action that it has a result of is not run again. */
function journal(): Kept {
  const results = new Map<string, unknown>()
  return {
    async run<Result>(name: string, act: () => Promise<Result>) {
      if (!results.has(name)) results.set(name, await act())
      return results.get(name) as Result
    },
  }
}

test('a call that is repeated gives what it gave before, though the turn has moved on', async () => {
  const stands: TurnStand[] = [
    { state: 'waiting', requests: [{ id: 'q' }] },
    { state: 'ended', status: 'completed' },
  ]
  const worker: TurnWorker = {
    running: 0,
    close: async () => {},
    workForCaller: async () => ({ state: 'left' }),
    work: async () => stands.shift() ?? { state: 'gone', reason: 'Too often.' },
  }
  const services = restateServices(worker) as unknown as { name: string; object?: { work: Work } }[]
  const work = services.find(({ name }) => name === conversationService)?.object?.work
  const ctx = journal()
  const order = { conversationId: 'c', turnId: 't' }
  const first = await work?.(ctx, order)
  expect(first).toMatchObject({ state: 'waiting' })
  expect(await work?.(ctx, order)).toEqual(first)
})
