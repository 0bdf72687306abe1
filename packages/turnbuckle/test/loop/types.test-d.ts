import { type } from 'arktype'
import {
  type AfterContext,
  type BeforeContext,
  block,
  type Call,
  createAgent,
  type Event,
  type EventFields,
  goto,
  type Message,
  middleware,
  type Prompt,
  replace,
  skip,
  stage,
  stop,
  type ToolResult,
  type TurnResult,
  tool,
} from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import * as v from 'valibot'
import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

declare module 'turnbuckle' {
  interface OwnStages {
    weigh: { input: Message; result: number }
  }
  interface OwnEvents {
    'search.done': { hits: number }
  }
}

describe('tools', () => {
  test('arguments follow from the schema, whatever the library', () => {
    tool({
      name: 'a',
      input: z.object({ city: z.string(), days: z.number().default(1) }),
      run: args => expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>(),
    })
    tool({
      name: 'b',
      input: v.object({ city: v.string() }),
      run: args => expectTypeOf(args).toEqualTypeOf<{ city: string }>(),
    })
    tool({
      name: 'c',
      input: type({ city: 'string' }),
      run: args => expectTypeOf(args).toEqualTypeOf<{ city: string }>(),
    })
    tool({ name: 'd', run: args => expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>() })
  })
  test('what the schema does not have is an error', () => {
    // @ts-expect-error there is no such argument
    tool({ name: 'a', input: z.object({ city: z.string() }), run: ({ town }) => town })
  })
})

describe('contexts', () => {
  test('each hook has what exists there, and nothing else', () => {
    middleware({
      name: 'typed',
      beforeModel(ctx) {
        expectTypeOf(ctx.prompt).toEqualTypeOf<Prompt>()
        // @ts-expect-error there is no call at the model
        ctx.call
        // @ts-expect-error nothing has come of it yet
        ctx.status
      },
      afterModel(ctx) {
        expectTypeOf(ctx.reply).toEqualTypeOf<Message>()
        expectTypeOf(ctx.status).toEqualTypeOf<'done' | 'skipped' | 'failed' | 'interrupted'>()
        expectTypeOf(ctx.entered).toEqualTypeOf<boolean>()
      },
      beforeTool(ctx) {
        expectTypeOf(ctx.call).toEqualTypeOf<Call>()
        // @ts-expect-error before the model stage there is no prompt
        ctx.prompt
      },
      afterTool: ctx => void expectTypeOf(ctx.result).toEqualTypeOf<ToolResult>(),
      beforeTools: ctx => void expectTypeOf(ctx.calls).toEqualTypeOf<readonly Call[]>(),
      afterTools: ctx => void expectTypeOf(ctx.results).toEqualTypeOf<readonly ToolResult[]>(),
      beforeAppend: ctx => void expectTypeOf(ctx.message).toEqualTypeOf<Message>(),
      afterDecide: ctx => void expectTypeOf(ctx.goesOn).toEqualTypeOf<boolean>(),
      afterTurn: ctx => void expectTypeOf(ctx.result).toEqualTypeOf<TurnResult>(),
    })
    expectTypeOf<BeforeContext<'tool'>['call']>().toEqualTypeOf<Call>()
    expectTypeOf<AfterContext<'model'>['reply']>().toEqualTypeOf<Message>()
  })

  test('state is what was given, in every hook and in update', () => {
    middleware({
      name: 'counted',
      state: { round: 0, seen: [] as string[] },
      beforeTool(ctx) {
        expectTypeOf(ctx.state).toEqualTypeOf<{ readonly round: number; readonly seen: readonly string[] }>()
        // @ts-expect-error it is readonly, at any depth
        ctx.state.seen.push('x')
        ctx.update(state => ({ ...state, round: state.round + 1 }))
        // @ts-expect-error the whole state, not a part of it
        ctx.update(() => ({ round: 1 }))
      },
      onEvent: (_event, ctx) => expectTypeOf(ctx.state.round).toEqualTypeOf<number>(),
    })
  })

  test('a permission answer is typed; another kind is what the hook says', () => {
    middleware({
      name: 'asks',
      async beforeTool(ctx) {
        const { decision } = await ctx.ask('permission', ctx.call, { fallback: 'deny' })
        expectTypeOf(decision).toEqualTypeOf<'allow' | 'deny'>()
        const rating = await ctx.ask<{ stars: number }>('rating', {})
        expectTypeOf(rating.stars).toEqualTypeOf<number>()
        if (decision === 'deny') return block('no')
      },
    })
  })
})

describe('what hooks return', () => {
  test('a directive or nothing', () => {
    middleware({
      name: 'fine',
      beforeTool: () => stop('x'),
      afterTool: async () => replace('x'),
      beforeModel: () => {},
    })
    // @ts-expect-error text is no directive
    middleware({ name: 'wrong', beforeTool: () => 'stop' })
    // @ts-expect-error nor is a flag
    middleware({ name: 'wrong', afterDecide: () => true })
  })
  test('only a directive that makes sense at the hook', () => {
    // @ts-expect-error a call that has run cannot be blocked
    middleware({ name: 'wrong', afterTool: () => block('x') })
    // @ts-expect-error nothing is there to replace yet
    middleware({ name: 'wrong', beforeTool: () => replace('x') })
    // @ts-expect-error what happened is recorded
    middleware({ name: 'wrong', beforeAppend: () => skip() })
    // @ts-expect-error there is no step to leave
    middleware({ name: 'wrong', beforeTurn: () => goto('model') })
    // @ts-expect-error the turn is over
    middleware({ name: 'wrong', afterTurn: async () => stop('x') })
    // @ts-expect-error text that flows is dropped by [], not skipped
    middleware({ name: 'wrong', onChunk: () => skip() })
  })
  test('a misspelt hook, or one of a stage that is not declared, is an error', () => {
    // @ts-expect-error Did you mean to write 'beforeTool'?
    middleware({ name: 'wrong', befoerTool: () => undefined })
    // @ts-expect-error Did you mean to write 'beforeWeigh'?
    middleware({ name: 'wrong', beforeWiegh: () => undefined })
  })
  test('next gives the result of the stage', () => {
    middleware({
      name: 'wraps',
      async wrapModel(ctx, next) {
        const reply = await next({ ...ctx.prompt, instructions: 'x' })
        expectTypeOf(reply).toEqualTypeOf<Message>()
        return reply
      },
      async wrapTool(ctx, next) {
        const result = await next({ ...ctx.call, args: {} })
        expectTypeOf(result).toEqualTypeOf<ToolResult>()
        return result
      },
    })
  })
  test('a wrap that forgets to return what next gave is an error', () => {
    middleware({
      name: 'forgets',
      // @ts-expect-error nothing is returned
      async wrapModel(_ctx, next) {
        await next()
      },
    })
    middleware({
      name: 'forgets',
      // @ts-expect-error nothing is returned
      wrapTurn(_ctx, next) {
        next()
      },
    })
  })
})

describe('stages of your own', () => {
  test('their hooks are typed by their name', () => {
    middleware({
      name: 'own',
      beforeWeigh: ctx => void expectTypeOf(ctx.input).toEqualTypeOf<Message>(),
      async wrapWeigh(_ctx, next) {
        const weight = await next()
        expectTypeOf(weight).toEqualTypeOf<number>()
        return weight
      },
      afterWeigh: ctx => void expectTypeOf(ctx.result).toEqualTypeOf<number>(),
    })
    // @ts-expect-error a number was promised
    middleware({ name: 'own', wrapWeigh: () => 'heavy' })
  })
  test('stage() is checked against what was declared', () => {
    stage({
      name: 'weigh',
      run: (_ctx, input) => {
        expectTypeOf(input).toEqualTypeOf<Message>()
        return 1
      },
    })
    stage({ name: 'weigh', run: async () => stop('heavy') })
    // @ts-expect-error a number was promised
    stage({ name: 'weigh', run: () => 'heavy' })
    // @ts-expect-error a message is given
    stage({ name: 'weigh', run: (_ctx, input: number) => input })
    stage({ name: 'other', run: (_ctx, input: number) => `${input}` })
  })
})

describe('events', () => {
  test('those of ready-made middleware, and those that were declared, are read with their fields', () => {
    const read = (event: Event): unknown => {
      if (event.type === 'critic.judged') expectTypeOf(event.decision).toEqualTypeOf<'accept' | 'revise' | 'reject'>()
      if (event.type === 'search.done') expectTypeOf(event.hits).toEqualTypeOf<number>()
      // @ts-expect-error nobody tells that
      return event.type === 'search.gone'
    }
    expectTypeOf(read).toBeFunction()
  })
})

test("another middleware's state is read with its type", () => {
  const counts = middleware({ name: 'counts', state: { seen: [1] } })
  middleware({
    name: 'reads',
    beforeStep: ctx => void expectTypeOf(ctx.stateOf(counts)).toEqualTypeOf<{ readonly seen: readonly number[] }>(),
  })
})

test('a turn is awaited for its result, and iterated for its events', async () => {
  const turn = createAgent({ model: scriptedModel(['Hi']) }).send('Go')
  expectTypeOf(await turn).toEqualTypeOf<TurnResult>()
  for await (const event of turn)
    if (event.type === 'tool.completed') expectTypeOf(event.durationMs).toEqualTypeOf<number>()
  for await (const text of turn.text) expectTypeOf(text).toEqualTypeOf<string>()
})

describe('events that are told', () => {
  test('a declared event has its fields, and its family no other', () => {
    middleware({
      name: 'typed',
      beforeModel(ctx) {
        ctx.emit({ type: 'search.done', hits: 3 })
        // @ts-expect-error hits is a number
        ctx.emit({ type: 'search.done', hits: 'many' })
        // @ts-expect-error hits is missing
        ctx.emit({ type: 'search.done' })
        // @ts-expect-error there is no such event in a family that is declared
        ctx.emit({ type: 'search.don', hits: 3 })
        ctx.emit({ type: 'other.news', any: 'field' })
        // @ts-expect-error a ready-made event without its fields
        ctx.emit({ type: 'retry.waiting' })
      },
    })
    tool({
      name: 'search',
      run(_, ctx) {
        ctx.emit({ type: 'tool.progress', done: 1 })
        // @ts-expect-error hits is a number
        ctx.emit({ type: 'search.done', hits: 'many' })
      },
    })
  })
  test('with "*" among the declared ones any other is an error', () => {
    type All = { 'search.done': { hits: number }; '*': never }
    expectTypeOf<{ any: 1 }>().not.toExtend<EventFields<'other.news', All>>()
    expectTypeOf<{ hits: 1 }>().toExtend<EventFields<'search.done', All>>()
  })
})

describe('the input of a stage', () => {
  test('can be assigned by a before hook, not by a wrap or a guard', () => {
    middleware({
      name: 'rewrites',
      beforeTool(ctx) {
        ctx.call = { ...ctx.call, args: {} }
      },
      wrapTool(ctx, next) {
        // @ts-expect-error a changed call is passed to next
        ctx.call = { ...ctx.call, args: {} }
        return next()
      },
    })
    middleware({
      name: 'protects',
      guard: true,
      state: { seen: 0 },
      beforeTool(ctx) {
        expectTypeOf(ctx.state.seen).toEqualTypeOf<number>()
        // @ts-expect-error a guard does not rewrite
        ctx.call = { ...ctx.call, args: {} }
      },
    })
  })
  test('what an attempt has shown can be withdrawn in a wrap of the model', () => {
    middleware({
      name: 'retries',
      wrapModel: (ctx, next) =>
        next().catch(() => {
          ctx.withdraw('failed')
          return next()
        }),
      // @ts-expect-error there is no attempt yet
      beforeModel: ctx => ctx.withdraw(),
    })
  })
})
