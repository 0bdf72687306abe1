import { createAgent, middleware, rewind, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { look, twoSteps } from '../../../test/support/looking.ts'

const callsDanger = (...args: unknown[]) =>
  scriptedModel([{ calls: args.map(a => ({ name: 'danger', args: a })) }, 'Done'])
const hi = () => scriptedModel(['Hi'], { repeat: true })

describe('state', () => {
  const counter = (scope: 'turn' | 'branch' | 'conversation', seen: number[]) =>
    middleware({
      name: 'counter',
      state: { turns: 0 },
      scope,
      beforeTurn(ctx) {
        ctx.update(({ turns }) => ({ turns: turns + 1 }))
        seen.push(ctx.state.turns)
      },
    })

  test.each([
    { scope: 'turn' as const, values: [1, 1, 1, 1] },
    { scope: 'branch' as const, values: [1, 2, 2, 3] },
    { scope: 'conversation' as const, values: [1, 2, 3, 4] },
  ])('of scope $scope, over two turns, a fork from the first and its next', async ({ scope, values }) => {
    const seen: number[] = []
    const agent = createAgent({ model: scriptedModel(['Hi'], { repeat: true }), use: [counter(scope, seen)] })
    const chat = agent.conversation()
    await chat.send('One')
    const afterFirst = chat.head
    await chat.send('Two')
    const fork = chat.fork(afterFirst)
    await fork.send('Two, again')
    await fork.send('Three')
    expect(seen).toEqual(values)
    // One middleware serves any number of conversations.
    seen.length = 0
    await agent.conversation().send('Elsewhere')
    expect(seen).toEqual([1])
  })

  test('of a branch follows checkout, and is rewound', async () => {
    const seen: unknown[] = []
    const steps = middleware({
      name: 'steps',
      state: [] as readonly string[],
      scope: 'branch',
      beforeModel(ctx) {
        ctx.update(list => [...list, `step ${ctx.step}`])
      },
      afterDecide: ctx => (ctx.step === 1 ? rewind(1) : undefined),
      afterTurn: ctx => void seen.push(ctx.state),
    })
    const chat = createAgent({ model: twoSteps(), tools: [look], use: [steps] }).conversation()
    await chat.send('Go')
    expect(seen).toEqual([['step 0', 'step 2', 'step 3']])
    const first = chat.tree[0]?.id ?? ''
    chat.checkout(first)
    expect(chat.head).toBe(first)
  })

  test('is frozen, and changed only by update', async () => {
    const tries: unknown[] = []
    const owner = middleware({
      name: 'owner',
      state: { list: ['a'] },
      beforeTurn(ctx) {
        ctx.update(() => ({ list: ['b'] }))
        try {
          ;(ctx.state as { list: string[] }).list = []
        } catch (error) {
          tries.push(error)
        }
        expect(ctx.state.list).toEqual(['b'])
      },
    })
    await createAgent({ model: scriptedModel(['Hi']), use: [owner] }).send('Go')
    expect(tries[0]).toBeInstanceOf(TypeError)
  })
})

test('ten parallel tools that update state lose no update', async () => {
  const counted: number[] = []
  const counter = middleware({
    name: 'counter',
    state: { count: 0 },
    async wrapTool(ctx, next) {
      const before = ctx.state
      const result = await next()
      await Promise.resolve()
      ctx.update(({ count }) => ({ count: count + 1 }))
      expect(before).toEqual({ count: 0 })
      return result
    },
    afterTools: ctx => void counted.push(ctx.state.count),
  })
  const slow = tool({ name: 'danger', run: async () => 'ok' })
  const model = callsDanger(...Array.from({ length: 10 }, (_, i) => ({ i })))
  await createAgent({ model, tools: [slow], use: [counter], breaker: false }).send('Go')
  expect(counted).toEqual([10])
})

test('state is immutable through and through, the first one too', async () => {
  const refused: boolean[] = []
  const counter = middleware({
    name: 'counter',
    state: { list: [1] },
    beforeModel(ctx) {
      refused.push(!Reflect.set(ctx.state.list, 0, 2))
      ctx.update(({ list }) => ({ list: [...list, 2] }))
      refused.push(!Reflect.set(ctx.state.list, 0, 2))
    },
  })
  await createAgent({ model: scriptedModel(['Hi']), use: [counter] }).send('Go')
  expect(refused).toEqual([true, true])
})

test('one middleware serves two agents and many conversations at once', async () => {
  const counts: number[] = []
  const counter = middleware({
    name: 'counter',
    state: 0,
    scope: 'conversation',
    async beforeModel(ctx) {
      ctx.update(n => n + 1)
      await Promise.resolve()
      counts.push(ctx.state)
    },
  })
  const agents = [createAgent({ model: hi(), use: [counter] }), createAgent({ model: hi(), use: [counter] })]
  await Promise.all(agents.flatMap(agent => Array.from({ length: 10 }, () => agent.send('Go'))))
  expect(counts).toEqual(Array(20).fill(1))
})
