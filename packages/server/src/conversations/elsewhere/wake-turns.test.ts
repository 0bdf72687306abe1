import { createAgent, middleware } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { TurnOrder, TurnRunner } from '../turns/turn-runner.ts'
import { wakerOf, wakeTurns } from './wake-turns.ts'

interface Woken extends TurnOrder {
  readonly answered: readonly string[]
}

/** A turn that was parked with a question in 1970, and a runner that keeps what it is told. */
async function parkedTurn(timeout: number) {
  const store = memoryStore()
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      await ctx.ask('order', 'What shall it be?', { timeout, fallback: 'tea' })
    },
  })
  const agent = createAgent({ model: scriptedModel(['Tea.']), store, use: [asks], clock: virtualClock() })
  const chat = agent.conversation('c')
  const turn = chat.send('Hello.')
  for await (const event of turn) if (event.type === 'request.opened') break
  turn.park()
  await turn.settled
  const woken: Woken[] = []
  const runner: TurnRunner = {
    start: async () => {},
    wake: async (order, answered) => void woken.push({ ...order, answered }),
  }
  const requests = (await store.requests({ conversation: 'c' })).map(({ id }) => id)
  return { store, runner, woken, turnId: turn.id, requests }
}

test('a turn that waits for people is left alone', async () => {
  const { store, runner, woken } = await parkedTurn(Infinity)
  await wakeTurns(store, runner, 'c')
  await wakeTurns(store, runner, 'another')
  expect(woken).toEqual([])
})

test('one whose question is over its deadline is woken, with that question', async () => {
  const { store, runner, woken, turnId, requests } = await parkedTurn(1000)
  await wakeTurns(store, runner, 'c')
  expect(woken).toEqual([{ conversationId: 'c', turnId, answered: requests }])
})

test('an engine is told of a turn whose conversation is gone', async () => {
  const { store, runner, woken, turnId, requests } = await parkedTurn(Infinity)
  const wake = await wakerOf(store, runner, 'c', turnId)
  await store.delete('c')
  await wake()
  expect(woken).toEqual([{ conversationId: 'c', turnId, answered: requests }])
})
