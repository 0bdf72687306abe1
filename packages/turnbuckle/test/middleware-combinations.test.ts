import {
  block,
  createAgent,
  type Event,
  type Message,
  type Middleware,
  middleware,
  rewind,
  textOf,
  tool,
} from 'turnbuckle'
import {
  approval,
  costLimit,
  critic,
  critics,
  modelCache,
  pii,
  refine,
  retry,
  structured,
  timeout,
  toolCache,
  toolRetry,
} from 'turnbuckle/middleware'
import { checkHistory, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const echo = tool({ name: 'echo', run: args => args })
const calling = (...args: object[]) =>
  scriptedModel([...args.map(one => ({ calls: [{ name: 'echo', args: one }] })), 'done'])
const lost = () => Object.assign(new Error('connection lost'), { status: 503 })

describe('retry and timeout', () => {
  test('[retry, timeout]: each attempt has its own time', async () => {
    const clock = virtualClock()
    const model = scriptedModel([{ delayMs: 200 }, { delayMs: 200 }, { text: 'ok', delayMs: 90 }], { clock })
    const turn = createAgent({ model, clock, use: [retry({ baseMs: 0 }), timeout(100)] }).send('go')
    await clock.advance(290)
    expect(await turn).toMatchObject({ status: 'completed', text: 'ok' })
  })

  test('[timeout, retry]: all attempts together have that time', async () => {
    const clock = virtualClock()
    const model = scriptedModel(
      [
        { delayMs: 60, error: lost() },
        { text: 'ok', delayMs: 60 },
      ],
      { clock },
    )
    const turn = createAgent({ model, clock, use: [timeout(100), retry({ baseMs: 0 })] }).send('go')
    await clock.advance(100)
    expect((await turn.settled).error).toMatchObject({ kind: 'timeout' })
  })
})

test('a cache in front of retry: a hit makes no attempt, a failure is not kept', async () => {
  const model = scriptedModel([{ error: lost() }, { error: lost() }, 'ok'])
  const agent = createAgent({ model, use: [modelCache(), retry({ times: 2, baseMs: 0 })] })
  expect([(await agent.send('a')).text, (await agent.send('a')).text, model.prompts.length]).toEqual(['ok', 'ok', 3])
})

describe('approval behind any rewriting: the person is shown what will run', () => {
  const rewriters: Record<string, () => Middleware> = {
    beforeTool: () =>
      middleware({
        name: 'rewriting',
        beforeTool(ctx) {
          ctx.call = { ...ctx.call, args: { path: '/etc' } }
        },
      }),
    wrapTool: () =>
      middleware({ name: 'rewriting', wrapTool: (ctx, next) => next({ ...ctx.call, args: { path: '/etc' } }) }),
    beforeTools: () =>
      middleware({
        name: 'rewriting',
        beforeTools(ctx) {
          ctx.calls = ctx.calls.map(call => ({ ...call, args: { path: '/etc' } }))
        },
      }),
    wrapTools: () =>
      middleware({
        name: 'rewriting',
        wrapTools: (ctx, next) => next(ctx.calls.map(call => ({ ...call, args: { path: '/etc' } }))),
      }),
  }
  const orders = Object.entries(rewriters).flatMap(([where, make]) => [
    { where, order: 'rewriting first', use: (guard: Middleware) => [make(), guard] },
    { where, order: 'approval first', use: (guard: Middleware) => [guard, make()] },
  ])

  test.each(orders)('$where, $order', async ({ use }) => {
    const shown: unknown[] = []
    let ran: unknown
    const work = tool({
      name: 'echo',
      run(args) {
        ran = args
        return 'ok'
      },
    })
    const guard = approval({
      answers: ({ args }) => {
        shown.push(args)
        return 'allow'
      },
    })
    await createAgent({ model: calling({ path: '/tmp' }), tools: [work], use: use(guard) }).send('go')
    expect(ran).toEqual({ path: '/etc' })
    expect(shown.at(-1)).toEqual({ path: '/etc' })
  })

  test.each(orders)('$where, $order: a no to that means it does not run', async ({ use }) => {
    let ran = false
    const work = tool({
      name: 'echo',
      run() {
        ran = true
      },
    })
    const guard = approval({ answers: ({ args }) => ((args as { path: string }).path === '/etc' ? 'deny' : 'allow') })
    const { messages } = await createAgent({ model: calling({ path: '/tmp' }), tools: [work], use: use(guard) }).send(
      'go',
    )
    expect(ran).toBe(false)
    expect(messages.flatMap(({ content }) => content).find(part => part.type === 'result')).toMatchObject({
      status: 'denied',
    })
  })
})

describe('a cost limit and a critic: the critic is paid from the same purse', () => {
  const usage = { inputTokens: 10, outputTokens: 10, cost: 0.05 }
  test.each([
    { title: 'limit first', use: (limit: Middleware, judge: Middleware) => [limit, judge] },
    { title: 'critic first', use: (limit: Middleware, judge: Middleware) => [judge, limit] },
  ])('$title', async ({ use }) => {
    const model = scriptedModel([{ text: 'Draft.', usage }], { repeat: true })
    const judge = scriptedModel([{ text: 'REVISE More.', usage }], { repeat: true })
    const agent = createAgent({ model, use: use(costLimit(0.1), critic(judge, { rounds: 10 })) })
    const result = await agent.send('Write')
    expect(result).toMatchObject({ status: 'stopped', by: 'cost-limit', text: 'Draft.' })
    expect(result.usage.cost).toBeCloseTo(0.1)
  })
})

describe('redaction and retry: nobody ever sees the card number', () => {
  const card = '4111 1111 1111 1111'
  const half = {
    chunks: [...`Card ${card}`].map(text => ({ type: 'text' as const, text })),
    error: lost(),
  }
  const whole = { chunks: [...`Card ${card}.`].map(text => ({ type: 'text' as const, text })) }
  test.each([
    { title: 'retry first', use: () => [retry({ baseMs: 0 }), pii()] },
    { title: 'redaction first', use: () => [pii(), retry({ baseMs: 0 })] },
  ])('$title', async ({ use }) => {
    const chat = createAgent({ model: scriptedModel([half, whole]), use: use() }).conversation()
    const seen: Event[] = []
    let deltas = ''
    chat.subscribe({ event: event => seen.push(event), delta: ({ text }) => (deltas += text) })
    const turn = chat.send(`Charge ${card}`)
    let text = ''
    for await (const piece of turn.text) text += piece
    const result = await turn
    const everything = JSON.stringify([seen, deltas, text, result, chat.messages])
    expect(result.status).toBe('completed')
    expect(everything).toContain('Card ')
    expect(everything).not.toContain(card)
    expect(everything.replace(/\D/g, '')).not.toContain('4111111111111111')
  })
})

describe('a blocked tool and a rewind', () => {
  test.each(['afterTool', 'afterTools', 'afterDecide'] as const)('rewind in %s', async hook => {
    let rewound = false
    const back = () => {
      if (rewound) return
      rewound = true
      return rewind(0, 'Another way, please.')
    }
    const rewinding =
      hook === 'afterTool'
        ? middleware({ name: 'rewinding', afterTool: back })
        : hook === 'afterTools'
          ? middleware({ name: 'rewinding', afterTools: back })
          : middleware({ name: 'rewinding', afterDecide: back })
    const blocking = middleware({ name: 'blocking', guard: true, beforeTool: () => block('no') })
    const model = calling({ n: 1 }, { n: 2 })
    const chat = createAgent({ model, tools: [echo], use: [rewinding, blocking] }).conversation()
    expect(await chat.send('go')).toMatchObject({ status: 'completed', text: 'done' })
    expect(checkHistory(chat.messages)).toEqual([])
    expect(model.prompts.flatMap(({ messages }) => checkHistory(messages))).toEqual([])
  })
})

describe('a tool that throws while other middleware wrap tools', () => {
  const wrapping = () => middleware({ name: 'wrapping', wrapTool: (_ctx, next) => next() })
  const measuring = () =>
    middleware({
      name: 'measuring',
      wrapTool: async (_ctx, next) => {
        try {
          return await next()
        } finally {
          await Promise.resolve()
        }
      },
    })
  test.each([
    { title: 'one', use: () => [wrapping()] },
    { title: 'two', use: () => [wrapping(), measuring()] },
    { title: 'retry outside', use: () => [toolRetry({ baseMs: 0, repeat: 'all' }), measuring()] },
    { title: 'retry inside', use: () => [measuring(), toolRetry({ baseMs: 0, repeat: 'all' })] },
    {
      title: 'cache, time-out and retry',
      use: () => [toolCache({ tools: ['echo'] }), timeout(1000), toolRetry({ baseMs: 0, repeat: 'all' })],
    },
  ])('$title: the model is told, the turn goes on', async ({ use }) => {
    const broken = tool({
      name: 'echo',
      run() {
        throw new Error('it broke')
      },
    })
    const { status, text, messages } = await createAgent({ model: calling({}), tools: [broken], use: use() }).send('go')
    expect([status, text]).toEqual(['completed', 'done'])
    expect(messages[2]?.content).toMatchObject([{ status: 'error', value: 'it broke' }])
  })
})

describe('a critic that throws has not accepted', () => {
  test.each([
    { title: 'a function', judge: () => Promise.reject(new Error('no idea')) },
    { title: 'a model', judge: scriptedModel([{ error: new Error('no idea') }]) },
    { title: 'a model that says something else', judge: scriptedModel(['Hm.']) },
    ...[undefined, null, true, 'accept', {}, { decision: 'yes' }].map(said => ({
      title: `a function that gives ${JSON.stringify(said)}`,
      judge: () => said as never,
    })),
  ])('$title', async ({ judge }) => {
    const result = await createAgent({ model: scriptedModel(['Answer.']), use: [critic(judge)] }).send('go').settled
    expect([result.status, result.by]).toEqual(['failed', 'critic'])
  })

  test('with a retry behind it a model that fails once is asked again', async () => {
    const judge = scriptedModel([{ error: lost() }, 'ACCEPT'])
    const use = [critic(judge), retry({ baseMs: 0 })]
    expect((await createAgent({ model: scriptedModel(['Answer.']), use }).send('go')).status).toBe('completed')
  })
})

describe('what does not fit a schema is repaired before anybody judges it', () => {
  const schema = structured(z.object({ n: z.number() }))
  const seen: string[] = []
  const judge = (reply: Message) => {
    seen.push(textOf(reply))
    return { accepted: false, advice: 'A larger one.' }
  }
  test.each([
    { title: 'a critic', other: critic(judge, { rounds: 1 }) },
    { title: 'critics', other: critics([{ judge }], { rounds: 1 }) },
    { title: 'refine', other: refine({ rounds: 1, until: reply => judge(reply).accepted }) },
  ])('$title, in either order', async ({ other }) => {
    for (const use of [
      [schema, other],
      [other, schema],
    ]) {
      seen.length = 0
      const model = scriptedModel(['none', '{"n":1}', 'none again', '{"n":2}'])
      expect(await createAgent({ model, use }).send('go')).toMatchObject({ status: 'completed', text: '{"n":2}' })
      expect(seen).toEqual(['{"n":1}'])
    }
  })
})
