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

test('a turn that comes back since the deadline of its question has passed is not parked for it again', async () => {
  const store = memoryStore()
  const asksInTime = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      await ctx.ask('order', 'What shall it be?', { timeout: 100, fallback: 'tea' })
    },
  })
  const agent = createAgent({ model: scriptedModel(['Tea.']), store, use: [asksInTime] })
  const chat = await agent.open('c')
  expect(await parkWhenIdle(chat.send('Hello.'), chat, 0)).toBe(true)
  const [request] = await store.requests({ conversation: 'c' })
  await expect.poll(() => Date.now()).toBeGreaterThan(request?.deadline ?? Infinity)
  await agent.open('c')
  const turn = agent.resume('c')
  if (!turn) throw new Error('It is to go on.')
  expect(await parkWhenIdle(turn, chat, 0)).toBe(false)
})
