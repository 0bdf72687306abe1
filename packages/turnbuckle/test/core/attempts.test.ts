import { createAgent, type Model, middleware, replace, stop, TurnbuckleError, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const two = [
  {
    calls: [
      { name: 'echo', args: { n: 1 } },
      { name: 'echo', args: { n: 2 } },
    ],
  },
  'done',
]
const echo = tool({ name: 'echo', run: ({ n }) => n })
const late = () => new TurnbuckleError('test.late', 'too late', { kind: 'timeout' })
const timed = (stage: 'model' | 'tool', ms: number) => {
  const limit = (clock: { after(ms: number, run: () => void): () => void }) => {
    const controller = new AbortController()
    return { signal: controller.signal, off: clock.after(ms, () => controller.abort(late())) }
  }
  return middleware({
    name: 'timed',
    wrapModel: (ctx, next) => {
      if (stage !== 'model') return next()
      const { signal, off } = limit(ctx.clock)
      return next(undefined, { signal }).finally(off)
    },
    wrapTool: (ctx, next) => {
      if (stage !== 'tool') return next()
      const { signal, off } = limit(ctx.clock)
      return next(undefined, { signal }).finally(off)
    },
  })
}

test.each([
  middleware({ name: 'no', beforeTool: () => stop('no') }),
  middleware({ name: 'no', wrapTool: () => stop('no') }),
])('stop around a tool leaves each call one blocked result', async no => {
  const agent = createAgent({ model: scriptedModel(two), tools: [echo], use: [no] })
  const result = await agent.send('go')
  expect(result).toMatchObject({ status: 'stopped', reason: 'no', by: 'no' })
  const statuses = result.messages.flatMap(m => m.content).filter(part => part.type === 'result')
  expect(statuses.map(({ status }) => status)).toEqual(['blocked', 'blocked'])
})

test('stop in wrapModel records no empty reply', async () => {
  const use = [middleware({ name: 'no', wrapModel: () => stop('no') })]
  const { messages, status } = await createAgent({ model: scriptedModel(['hi']), use }).send('go')
  expect([status, messages.map(({ role }) => role)]).toEqual(['stopped', ['user']])
})

test('a directive of onError stands instead of the policy; without one the turn fails', async () => {
  const model = () => scriptedModel([{ text: 'part', error: new Error('boom') }])
  const use = [middleware({ name: 'calm', onError: () => stop('enough') })]
  const calm = await createAgent({ model: model(), use }).send('go')
  expect(calm).toMatchObject({ status: 'stopped', reason: 'enough', text: 'part' })
  expect((await createAgent({ model: model() }).send('go').settled).status).toBe('failed')
})

test("a hook may catch its own model call's error", async () => {
  const seen: unknown[] = []
  const use = [
    middleware({
      name: 'judge',
      beforeModel: async ctx => {
        await ctx.generate(scriptedModel([{ error: new Error('down') }]), 'x').catch(error => seen.push(error.message))
      },
    }),
  ]
  const { status } = await createAgent({ model: scriptedModel(['hi']), use }).send('go')
  expect([status, seen]).toEqual(['completed', ['down']])
})

test("a limit on a hook's model call stops the turn, also from a before hook", async () => {
  const use = [
    middleware({ name: 'limit', beforeGenerate: () => stop('limit') }),
    middleware({ name: 'summary', beforeModel: async ctx => void (await ctx.generate(scriptedModel(['s']), 'x')) }),
  ]
  const model = scriptedModel(['hi'])
  const result = await createAgent({ model, use }).send('go').settled
  expect(result).toMatchObject({ status: 'stopped', reason: 'limit', by: 'limit' })
  expect(model.prompts).toHaveLength(0)
})

test('the signal given to next ends a model that does not listen, and its error is the stage’s', async () => {
  const clock = virtualClock()
  const deaf: Model = {
    id: 'deaf',
    async *stream() {
      yield { type: 'text', text: 'par' }
      await new Promise<void>(resolve => clock.after(1000, resolve))
      yield { type: 'text', text: 'tial' }
    },
  }
  const turn = createAgent({ model: deaf, clock, use: [timed('model', 50)] }).send('go')
  await clock.advance(2000)
  const result = await turn.settled
  expect(result).toMatchObject({ status: 'failed', reason: 'too late', by: 'model', text: 'par' })
  expect(clock.timers).toBe(0)
})

test('the signal given to next reaches the tool and gives it the result timeout', async () => {
  const clock = virtualClock()
  let aborted = false
  const slow = tool({
    name: 'echo',
    run: (_args, ctx) =>
      new Promise(() => {
        ctx.signal.addEventListener('abort', () => {
          aborted = true
        })
      }),
  })
  const model = scriptedModel([{ calls: [{ name: 'echo' }] }, 'done'])
  const turn = createAgent({ model, tools: [slow], clock, use: [timed('tool', 50)] }).send('go')
  await clock.advance(60)
  const { status, messages } = await turn
  expect([status, aborted]).toEqual(['completed', true])
  expect(messages[2]?.content[0]).toMatchObject({ status: 'timeout', value: 'too late' })
})

test('a failed attempt that reported its usage counts', async () => {
  const failing = { chunks: [{ type: 'usage' as const, inputTokens: 5, outputTokens: 2 }], error: new Error('cut') }
  const use = [middleware({ name: 'twice', wrapModel: (_ctx, next) => next().catch(() => next()) })]
  const model = scriptedModel([failing, { text: 'ok', usage: { inputTokens: 5, outputTokens: 3 } }])
  const { usage } = await createAgent({ model, use }).send('go')
  expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 5 })
})

test('a wrap sees the input that the wrap around it passed on', async () => {
  const seen: unknown[] = []
  const use = [
    middleware({ name: 'outer', wrapTool: (ctx, next) => next({ ...ctx.call, args: { n: 7 } }) }),
    middleware({
      name: 'inner',
      wrapTool: (ctx, next) => {
        seen.push(ctx.call.args)
        return next()
      },
    }),
  ]
  const model = scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'done'])
  const { messages } = await createAgent({ model, tools: [echo], use }).send('go')
  expect(seen).toEqual([{ n: 7 }])
  expect(messages[2]?.content[0]).toMatchObject({ value: 7 })
})

test('a reply that replaces a shown one is recorded, and the shown one withdrawn', async () => {
  const use = [middleware({ name: 'edit', afterModel: () => replace('better') })]
  const turn = createAgent({ model: scriptedModel(['draft']), use }).send('go')
  const types: string[] = []
  for await (const { type } of turn) types.push(type)
  expect((await turn).text).toBe('better')
  expect(types.filter(type => type === 'message.discarded')).toHaveLength(1)
})

describe('a model that runs the loop itself', () => {
  const managed = (id: string, fails: number, text: string): Model & { began: number } => ({
    id,
    loop: 'intercept',
    began: 0,
    async *stream(_prompt, { runTools }) {
      this.began++
      const returned = await runTools?.([{ id: `${id}-${this.began}`, name: 'echo', args: { n: this.began } }])
      yield { type: 'text', text }
      if (this.began <= fails) throw new Error('cut')
      yield { type: 'text', text: ` after ${returned?.results.length} result` }
    },
  })
  const again = middleware({ name: 'again', wrapModel: (_ctx, next) => next().catch(() => next()) })

  test('begins anew when an attempt at it is made again', async () => {
    const model = managed('m', 1, 'ok')
    const result = await createAgent({ model, tools: [echo], use: [again] }).send('go')
    expect([result.status, result.text, model.began]).toEqual(['completed', 'ok after 1 result', 2])
  })

  test('gives way to another model', async () => {
    const other = managed('other', 0, 'other')
    const use = [
      middleware({
        name: 'switch',
        wrapModel: (ctx, next) => next().catch(() => next({ ...ctx.prompt, model: other })),
      }),
    ]
    const result = await createAgent({ model: managed('m', 9, 'no'), tools: [echo], use }).send('go')
    expect([result.status, result.text]).toEqual(['completed', 'other after 1 result'])
  })

  test('is aborted when an attempt is ended', async () => {
    const clock = virtualClock()
    let aborted = false
    const stuck: Model = {
      id: 'stuck',
      loop: 'intercept',
      async *stream(_prompt, { signal }) {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        yield { type: 'text', text: 'so far' }
        await new Promise(() => {})
      },
    }
    const turn = createAgent({ model: stuck, clock, use: [timed('model', 50)] }).send('go')
    await clock.advance(50)
    expect((await turn.settled).status).toBe('failed')
    expect([aborted, clock.timers]).toEqual([true, 0])
  })
})

test('of two attempts at once only the later is shown, and the reply that is used is recorded once', async () => {
  const both = middleware({
    name: 'both',
    async wrapModel(_ctx, next) {
      const [first] = await Promise.all([next(), next()])
      return first
    },
  })
  const turn = createAgent({ model: scriptedModel(['One.', 'Two.']), use: [both] }).send('Go.')
  const told: string[] = []
  for await (const event of turn) if (event.type !== 'message.delta') told.push(event.type)
  expect(told).toEqual([
    'turn.started',
    'message.added',
    'message.started',
    'message.discarded',
    'message.added',
    'turn.completed',
  ])
  expect((await turn).text).toBe('One.')
})
