import { createAgent, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const counter = (scope: 'turn' | 'branch' | 'conversation') =>
  middleware({
    name: scope,
    scope,
    state: { turns: 0 },
    beforeTurn: ctx => ctx.update(({ turns }) => ({ turns: turns + 1 })),
  })

test('the result has the last state of every middleware, in each scope, and the shared values', async () => {
  const last = middleware({
    name: 'last',
    state: { seen: '' },
    afterTurn(ctx) {
      ctx.update(() => ({ seen: ctx.result.status }))
      ctx.shared.set('verdict', { fine: true })
    },
  })
  const use = [counter('turn'), counter('branch'), counter('conversation'), last]
  const chat = createAgent({ model: scriptedModel(['Hi', 'Hi again']), use, breaker: false }).conversation()
  await chat.send('Hello')
  const { states, shared } = await chat.send('Hello again')
  expect(states).toEqual({
    turn: { turns: 1 },
    branch: { turns: 2 },
    conversation: { turns: 2 },
    last: { seen: 'completed' },
  })
  expect(shared).toEqual({ verdict: { fine: true } })
  expect(Object.isFrozen(states) && Object.isFrozen(shared)).toBe(true)
})

test('the result of a turn that failed, or was replaced, has them too', async () => {
  const broken = createAgent({ model: scriptedModel([{ error: new Error('down') }]), use: [counter('turn')] })
  expect((await broken.send('Go').settled).states).toMatchObject({ turn: { turns: 1 } })
  const cached = middleware({ name: 'cached', wrapTurn: () => 'From the cache.' })
  const result = await createAgent({ model: scriptedModel([]), use: [counter('turn'), cached] }).send('Go')
  expect(result).toMatchObject({ text: 'From the cache.', states: { turn: { turns: 1 } }, shared: {} })
})

test('an agent without hooks gives empty ones', async () => {
  const { states, shared } = await createAgent({ model: scriptedModel(['Hi']), breaker: false }).send('Hello')
  expect({ states, shared }).toEqual({ states: {}, shared: {} })
})
