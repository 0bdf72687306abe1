import { createAgent, middleware } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { parkWhenIdle } from './park-when-idle.ts'

const asks = middleware({
  name: 'asks',
  async beforeTurn(ctx) {
    await ctx.ask('order', 'What shall it be?', { timeout: Infinity })
  },
})

function conversation(use: readonly ReturnType<typeof middleware>[]) {
  const store = memoryStore()
  return { store, chat: createAgent({ model: scriptedModel(['Tea.']), store, use }).conversation('c') }
}

test('a turn that only waits for people is parked, and its question stays', async () => {
  const { store, chat } = conversation([asks])
  const turn = chat.send('Hello.')
  expect(await parkWhenIdle(turn, chat, 1)).toBe(true)
  expect(await store.requests({ conversation: 'c' })).toHaveLength(1)
})

test('a turn that ends by itself is not parked', async () => {
  const { chat } = conversation([])
  const turn = chat.send('Hello.')
  expect(await parkWhenIdle(turn, chat, 1)).toBe(false)
  expect(await turn).toMatchObject({ status: 'completed', text: 'Tea.' })
})
