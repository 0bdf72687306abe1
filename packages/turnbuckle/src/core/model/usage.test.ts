import { agentTool, type Context, createAgent, type Event, type Model, middleware, tool, type Usage } from 'turnbuckle'
import { costLimit } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const usage = { inputTokens: 10, outputTokens: 5, cost: 0.25 }
const tokens = { inputTokens: 10, outputTokens: 5 }
const look = tool({ name: 'look', run: () => 'seen' })
const calls = [{ name: 'look', args: {} }]
const broke = new Error('cut')

test('a failed attempt that reported its usage counts', async () => {
  const failing = { chunks: [{ type: 'usage' as const, inputTokens: 5, outputTokens: 2 }], error: new Error('cut') }
  const use = [middleware({ name: 'twice', wrapModel: (_ctx, next) => next().catch(() => next()) })]
  const model = scriptedModel([failing, { text: 'ok', usage: { inputTokens: 5, outputTokens: 3 } }])
  const { usage } = await createAgent({ model, use }).send('go')
  expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 5 })
})

describe('what a turn costs', () => {
  test.each([
    {
      name: 'every call says its cost',
      script: [
        { calls, usage },
        { text: 'ok', usage },
      ],
      is: 0.5,
    },
    {
      name: 'a call says no cost',
      script: [
        { calls, usage },
        { text: 'ok', usage: tokens },
      ],
      is: undefined,
    },
    { name: 'a call says nothing at all', script: [{ calls, usage }, 'ok'], is: undefined },
    { name: 'the first call says nothing at all', script: [{ calls }, { text: 'ok', usage }], is: undefined },
  ])('$name: $is', async ({ script, is }) => {
    const turn = createAgent({ model: scriptedModel(script), tools: [look] }).send('go')
    const events: Event[] = []
    for await (const event of turn) events.push(event)
    expect((await turn).usage.cost).toBe(is)
    expect(events.at(-1)).toMatchObject({ type: 'turn.completed' })
    expect((events.at(-1) as { usage?: { cost?: number } }).usage?.cost).toBe(is)
  })

  test('a turn without a model call costs nothing', async () => {
    const ready = middleware({ name: 'ready', wrapModel: async () => 'From a cache.' as never })
    expect((await createAgent({ model: scriptedModel([]), use: [ready] }).send('go')).usage.cost).toBe(0)
  })

  const refused = Object.assign(new Error('overloaded'), { status: 529 })
  test.each<{ name: string; first: ScriptedStep; is: Usage }>([
    { name: 'that broke off', first: { error: broke }, is: { ...tokens, knownCost: 0.25, unknownCalls: 1 } },
    {
      name: 'that broke off in its text',
      first: { chunks: [{ type: 'text', text: 'x' }], error: refused },
      is: { ...tokens, knownCost: 0.25, unknownCalls: 1 },
    },
    { name: 'that was refused', first: { error: refused }, is: usage },
  ])('a call $name, and the next one, cost $is.cost', async ({ first, is }) => {
    const model = scriptedModel([first, { text: 'ok', usage }])
    const again = middleware({ name: 'again', wrapModel: async (_ctx, next) => next().catch(() => next()) })
    expect((await createAgent({ model, use: [again] }).send('go')).usage).toEqual(is)
  })

  test('an interrupt in the middle of a reply leaves the cost unknown', async () => {
    const model: Model = {
      id: 'slow',
      async *stream() {
        yield { type: 'text', text: 'Well' }
        await new Promise(() => {})
      },
    }
    const turn = createAgent({ model }).send('go')
    for await (const event of turn) if (event.type === 'message.delta') turn.interrupt()
    expect(await turn).toMatchObject({ status: 'interrupted', usage: { inputTokens: 0, outputTokens: 0 } })
    expect((await turn).usage).not.toHaveProperty('cost')
  })

  test('usage that was reported before an interrupt counts', async () => {
    const model: Model = {
      id: 'slow',
      async *stream() {
        yield { type: 'usage', ...usage }
        yield { type: 'text', text: 'Well' }
        await new Promise(() => {})
      },
    }
    const turn = createAgent({ model }).send('go')
    for await (const event of turn) if (event.type === 'message.delta') turn.interrupt()
    expect(await turn).toMatchObject({ status: 'interrupted', usage })
  })

  test('a later report of a call takes the place of the one before', async () => {
    const early = { type: 'usage' as const, inputTokens: 10, outputTokens: 1 }
    const model = scriptedModel([{ chunks: [early, { type: 'text', text: 'ok' }, { type: 'usage', ...usage }] }])
    expect((await createAgent({ model }).send('go')).usage).toEqual(usage)
  })

  test('an event tells what each attempt and each call of a hook has used that became no message', async () => {
    const failing = { chunks: [{ type: 'usage' as const, ...tokens }], error: broke }
    const use = [
      middleware({ name: 'twice', wrapModel: (_ctx, next) => next().catch(() => next()) }),
      middleware({
        name: 'judge',
        async afterDecide(ctx) {
          await ctx.generate(scriptedModel([{ text: 'fine', usage }]), 'Good?')
        },
      }),
    ]
    const turn = createAgent({ model: scriptedModel([failing, { text: 'ok', usage }]), use }).send('go')
    const told: Event[] = []
    for await (const event of turn) if (event.type === 'usage' || event.type === 'usage.call') told.push(event)
    expect(told).toMatchObject([
      { type: 'usage.call', stage: 'model', step: 0, attempt: 0, ...tokens },
      { type: 'usage', ...usage },
      { type: 'usage.call', stage: 'generate', by: 'judge', step: 0, attempt: 0, ...usage },
    ])
    expect((await turn).usage).toEqual({ inputTokens: 30, outputTokens: 15, knownCost: 0.5, unknownCalls: 1 })
  })

  test('an interrupt while a tool runs does not', async () => {
    const hang = tool({ name: 'look', run: () => new Promise(() => {}) })
    const turn = createAgent({ model: scriptedModel([{ calls, usage }]), tools: [hang] }).send('go')
    for await (const event of turn) if (event.type === 'tool.executing') turn.interrupt()
    expect((await turn).usage).toEqual(usage)
  })

  test('a sub-agent whose cost is not known leaves that of its caller unknown', async () => {
    const inner = createAgent({ model: scriptedModel(['done']) })
    const model = scriptedModel([
      { calls: [{ name: 'sub', args: { task: 'x' } }], usage },
      { text: 'ok', usage },
    ])
    const tools = [agentTool(inner, { name: 'sub', description: 'works' })]
    expect((await createAgent({ model, tools }).send('go')).usage).toEqual({
      inputTokens: 20,
      outputTokens: 10,
      knownCost: 0.5,
      unknownCalls: 1,
    })
  })

  test('calls of hooks at the same time are each told their own', async () => {
    const told: unknown[] = []
    const judges = middleware({
      name: 'judges',
      async afterModel(ctx) {
        const one = ctx.generate(scriptedModel([{ text: 'a', usage }]), 'x')
        const two = ctx.generate(scriptedModel([{ text: 'b', usage: tokens }]), 'y')
        for (const { usage } of await Promise.all([one, two])) told.push(usage)
      },
    })
    const { usage: total } = await createAgent({ model: scriptedModel([{ text: 'ok', usage }]), use: [judges] }).send(
      'go',
    )
    expect(told).toEqual([usage, tokens])
    expect(total).toEqual({ inputTokens: 30, outputTokens: 15, knownCost: 0.5, unknownCalls: 1 })
  })

  test('a limit does not let a model go on that never says what it used', async () => {
    const model = scriptedModel([{ calls }], { repeat: true })
    const result = await createAgent({ model, tools: [look], use: [costLimit(1)] }).send('go')
    expect(result).toMatchObject({ status: 'stopped', by: 'cost-limit', steps: 1 })
  })

  test.each([
    { tells: 'its usage at the end', has: 'a cost', end: [{ type: 'usage' as const, ...usage }], is: usage },
    {
      tells: 'none',
      has: 'none',
      end: [],
      is: { inputTokens: 0, outputTokens: 0, knownCost: 0, unknownCalls: 1 },
    },
  ])('a loop of the model’s own that tells $tells has $has', async ({ end, is }) => {
    const model: Model = {
      id: 'managed',
      loop: 'intercept',
      async *stream(_prompt, { runTools }) {
        await runTools?.([{ id: '1', name: 'look', args: {} }])
        yield { type: 'text', text: 'ok' }
        yield* end
      },
    }
    expect((await createAgent({ model, tools: [look] }).send('go')).usage).toEqual(is)
  })
})

describe('after a crash', () => {
  const stuck: Model = {
    id: 'stuck',
    async *stream() {
      await new Promise(() => {})
    },
  }
  test.each([
    {
      name: 'in the middle of a model call',
      models: [stuck, scriptedModel([{ text: 'ok', usage }])],
      is: { ...tokens, knownCost: 0.25, unknownCalls: 1 },
    },
    {
      name: 'in the middle of a tool',
      models: [scriptedModel([{ calls, usage }]), scriptedModel([{ text: 'ok', usage }])],
      is: { inputTokens: 20, outputTokens: 10, cost: 0.5 },
    },
  ])('$name the cost is $is.cost', async ({ models: [first, second], is }) => {
    const store = memoryStore()
    const hang = tool({ name: 'look', run: () => new Promise(() => {}) })
    const before = createAgent({ model: first as Model, tools: [hang], store })
    const chat = before.conversation('c')
    const turn = chat.send('go')
    for await (const event of turn) if (event.type === (first === stuck ? 'message.added' : 'tool.executing')) break
    await new Promise(setImmediate)
    await before.close()
    const idempotent = tool({ name: 'look', run: () => 'seen', idempotent: true })
    const resumed = await createAgent({ model: second as Model, tools: [idempotent], store }).resume('c')
    expect((await resumed)?.usage).toEqual(is)
  })
})

describe('a question that is answered in another process', () => {
  const asks = (stage: 'beforeModel' | 'beforeTool') =>
    middleware({
      name: 'asks',
      [stage]: async (ctx: Context) => {
        if (!ctx.step) await ctx.ask('ok', {})
      },
    })

  test.each(['beforeModel', 'beforeTool'] as const)('leaves the cost known: %s', async stage => {
    const store = memoryStore()
    const script = [
      { calls, usage },
      { text: 'ok', usage },
    ]
    const first = createAgent({ model: scriptedModel(script), tools: [look], store, use: [asks(stage)] })
    const turn = first.conversation('c').send('go')
    for await (const event of turn) if (event.type === 'request.opened') break
    await first.close()
    const rest = stage === 'beforeModel' ? script : script.slice(1)
    const second = createAgent({ model: scriptedModel(rest), tools: [look], store, use: [asks(stage)] })
    const chat = await second.open('c')
    for (const { id } of chat.requests) await chat.answer(id, {})
    const resumed = await second.resume('c')
    expect(resumed?.usage).toEqual({ inputTokens: 20, outputTokens: 10, cost: 0.5 })
  })

  test('a model call that was under way when the process ended is still counted as lost', async () => {
    const store = memoryStore()
    const stuck: Model = {
      id: 'stuck',
      async *stream() {
        await new Promise(() => {})
      },
    }
    const first = createAgent({ model: stuck, store, use: [asks('beforeModel')] })
    const turn = first.conversation('c').send('go')
    for await (const event of turn) {
      if (event.type === 'request.opened') turn.answer(event.requestId, {})
      if (event.type === 'request.answered') break
    }
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    await first.close()
    const model = scriptedModel([{ text: 'ok', usage }])
    const resumed = await createAgent({ model, store, use: [asks('beforeModel')] }).resume('c')
    expect((await resumed)?.usage).toEqual({ ...tokens, knownCost: 0.25, unknownCalls: 1 })
  })
})
