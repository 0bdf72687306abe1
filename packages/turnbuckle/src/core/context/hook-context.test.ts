import { block, type Context, createAgent, middleware, pipeline, stage, tool } from 'turnbuckle'
import { scriptedModel, sequentialIds, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { look, twoSteps } from '../../../test/support/looking.ts'

test('a hook sees where it is', async () => {
  const seen: unknown[] = []
  const watch = middleware({
    name: 'watch',
    beforeTool(ctx) {
      seen.push(ctx.stage, ctx.step, ctx.call.name, ctx.agent.name, ctx.conversation.id, ctx.turn.id, ctx.resumed)
      seen.push(ctx.log.events[0]?.type, ctx.log.seq > 0, ctx.signal.aborted, typeof ctx.clock.now(), ctx.ids.next('x'))
      return block('seen')
    },
  })
  const agent = createAgent({ model: twoSteps(), tools: [look], use: [watch], name: 'Ada', ids: sequentialIds() })
  await agent.send('Go')
  expect(seen).toEqual([
    ...['tool', 0, 'look', 'Ada', 'conv_1', 'turn_1', false],
    ...['turn.started', true, false, 'number', 'x_1'],
  ])
})

test('ctx.point names the hook point, also of hooks that belong to no stage', async () => {
  const seen: string[] = []
  const note = (ctx: Context) => void seen.push(ctx.point)
  const watch = middleware({
    name: 'watch',
    beforeTool: note,
    wrapTool: (ctx, next) => {
      note(ctx)
      return next()
    },
    afterTool: note,
    onError: (_error, ctx) => note(ctx),
  })
  const broken = tool({ name: 'look', run: () => Promise.reject(new Error('broken')) })
  const own = stage({ name: 'own', run: note })
  const shaped = pipeline().before('model', own)
  await createAgent({ model: twoSteps(), tools: [broken], use: [watch], pipeline: shaped, maxSteps: 1 }).send('Go')
  expect(seen).toEqual(['own', 'beforeTool', 'wrapTool', 'afterTool', 'onError'])
})

test('ctx.tool is the tool of the call, also once a hook has changed the call', async () => {
  const seen: (string | undefined)[] = []
  const peek = tool({ name: 'peek', run: () => 'seen' })
  const watch = middleware({
    name: 'watch',
    beforeTool(ctx) {
      seen.push(ctx.tool?.name)
      ctx.call = { ...ctx.call, name: 'peek' }
      seen.push(ctx.tool?.name)
    },
    afterTool: ctx => void seen.push(ctx.tool?.name),
  })
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, { calls: [{ name: 'made_up' }] }, 'Done'])
  await createAgent({ model, tools: [look, peek], use: [watch] }).send('Go')
  expect(seen).toEqual(['look', 'peek', 'peek', undefined, 'peek', 'peek'])
})

test('an event of your own is in the turn, numbered like any other', async () => {
  const news = middleware({ name: 'news', beforeTurn: ctx => ctx.emit({ type: 'quota.checked', left: 3 }) })
  const turn = createAgent({ model: scriptedModel(['Hi']), use: [news] }).send('Go')
  const events = []
  for await (const event of turn) events.push(event)
  expect(events.find(event => (event.type as string) === 'quota.checked')).toMatchObject({
    left: 3,
    seq: 2,
    turnId: turn.id,
  })
})

test('a hook may take what it needs out of its context', async () => {
  const seen: unknown[] = []
  const takes = middleware({
    name: 'takes',
    state: 0,
    async beforeModel({ update, emit, ask, instruct, snapshot, restore, fork, generate, messages }) {
      update(count => count + 1)
      emit({ type: 'taken.out' })
      instruct('Be brief.')
      restore(snapshot())
      seen.push(await ask('question', {}, { timeout: 0, fallback: 'yes' }))
      seen.push((await generate(scriptedModel(['Fine.']), 'Well?')).text)
      seen.push(fork().messages.length === messages.length)
    },
    afterModel: ({ state }) => void seen.push(state),
  })
  const model = scriptedModel(['Hi.'])
  const turn = createAgent({ model, use: [takes] }).send('Go.')
  const types: string[] = []
  for await (const { type } of turn) types.push(type)
  expect((await turn).status).toBe('completed')
  expect(seen).toEqual(['yes', 'Fine.', true, 1])
  expect(types).toContain('taken.out')
  expect(model.prompts[0]?.instructions).toBe('Be brief.')
})

describe('entered', () => {
  const enteredBy = async (hooks: readonly [string, object][], args: unknown = {}) => {
    const entered: Record<string, boolean> = {}
    const use = hooks.map(([name, given]) =>
      middleware({
        name,
        afterTool(ctx) {
          entered[name] = ctx.entered
        },
        ...given,
      }),
    )
    const model = scriptedModel([{ calls: [{ name: 'strict', args }] }, 'Done'])
    const strict = tool({ name: 'strict', input: z.object({ n: z.number() }), run: () => 'ran' })
    await createAgent({ model, tools: [strict], use }).send('Go').settled
    return entered
  }
  const before = { beforeTool: () => {} }

  test('is true only where a before hook of the middleware ran', async () => {
    const no = { beforeTool: () => block('no') }
    expect(
      await enteredBy(
        [
          ['first', before],
          ['bare', {}],
          ['no', no],
          ['behind', before],
        ],
        { n: 1 },
      ),
    ).toEqual({
      first: true,
      bare: false,
      no: true,
      behind: false,
    })
  })
  test('is false for a guard that was not asked, because the arguments were wrong', async () => {
    expect(
      await enteredBy([
        ['first', before],
        ['guard', { ...before, guard: true }],
      ]),
    ).toEqual({ first: true, guard: false })
  })
})

describe('a context that is used after its turn', () => {
  type Late = Context<number>
  const late = async () => {
    let kept: Late | undefined
    const keeps = middleware({
      name: 'keeps',
      state: 0,
      beforeStep(ctx) {
        kept = ctx
      },
    })
    await createAgent({ model: scriptedModel(['Hi']), use: [keeps] }).send('Go')
    await new Promise(resolve => setImmediate(resolve))
    return kept as Late
  }

  test.each<[string, (ctx: Late) => void]>([
    ['update', ctx => ctx.update(n => n + 1)],
    ['emit', ctx => ctx.emit({ type: 'too.late' })],
    ['instruct', ctx => ctx.instruct('Be short.')],
  ])('refuses %s', async (name, act) => {
    const ctx = await late()
    expect(() => act(ctx)).toThrow(
      expect.objectContaining({ code: 'turn.ended', message: expect.stringContaining(name) }),
    )
  })
  test('says so on stderr, once', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const ctx = await late()
    expect([ctx.state, ctx.state]).toEqual([0, 0])
    expect(said.mock.calls).toEqual([[expect.stringContaining('beforeStep of "keeps" used ctx after its turn')]])
    said.mockRestore()
  })
})

test('a wrap that waits before its next attempt withdraws the failed one at the failure', async () => {
  const clock = virtualClock()
  const waits = middleware({
    name: 'waits',
    async wrapModel(ctx, next) {
      ctx.withdraw('nothing was shown yet')
      return next().catch(async () => {
        ctx.withdraw('it failed')
        await ctx.clock.sleep(1000)
        return next()
      })
    },
  })
  const model = scriptedModel([{ text: 'Let me', error: new Error('reset') }, 'Let me see.'])
  const told: unknown[] = []
  const chat = createAgent({ model, use: [waits], clock }).conversation()
  chat.subscribe(event => {
    if (event.type === 'message.discarded') told.push([event.reason, clock.now()])
  })
  const turn = chat.send('Well?')
  await clock.advance(1000)
  expect((await turn).text).toBe('Let me see.')
  expect(told).toEqual([['it failed', 0]])
})
