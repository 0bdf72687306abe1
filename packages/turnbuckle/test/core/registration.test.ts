import { createAgent, type Middleware, middleware, type ShownChunk, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const hi = () => scriptedModel(['Hi'], { repeat: true })
const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ calls: [{ name: 'look' }] }, 'Done'], { repeat: true })

/** A middleware that writes down when its hooks around the model run. */
const traced = (name: string, order: string[], more: { priority?: number; guard?: boolean } = {}) =>
  middleware({
    name,
    ...more,
    beforeModel: () => void order.push(`before ${name}`),
    async wrapModel(_ctx, next) {
      order.push(`in ${name}`)
      const reply = await next()
      order.push(`out ${name}`)
      return reply
    },
    afterModel: () => void order.push(`after ${name}`),
  })

describe('order', () => {
  test('before in order, wraps nested, after in reverse; by priority, then registration; guards innermost', async () => {
    const order: string[] = []
    const use = [
      traced('guard', order, { guard: true, priority: 1 }),
      traced('b', order),
      traced('c', order),
      traced('a', order, { priority: 10 }),
    ]
    await createAgent({ model: hi(), use }).send('Go')
    expect(order).toEqual([
      ...['before a', 'before b', 'before c', 'before guard'],
      ...['in a', 'in b', 'in c', 'in guard', 'out guard', 'out c', 'out b', 'out a'],
      ...['after guard', 'after c', 'after b', 'after a'],
    ])
  })

  test('lists of middleware may be nested', async () => {
    const order: string[] = []
    await createAgent({ model: hi(), use: [[traced('a', order), traced('b', order)], traced('c', order)] }).send('Go')
    expect(order.slice(0, 3)).toEqual(['before a', 'before b', 'before c'])
  })

  test('onChunk: guards last, so that what they let through is what is shown', async () => {
    const use = [
      middleware({
        name: 'guard',
        guard: true,
        onChunk: chunk => (chunk.type === 'text' ? { ...chunk, text: chunk.text.replace('key', '***') } : undefined),
      }),
      middleware({
        name: 'leaky',
        onChunk: chunk => (chunk.type === 'text' ? { ...chunk, text: `${chunk.text} key` } : undefined),
      }),
    ]
    expect((await createAgent({ model: hi(), use }).send('Go')).text).toBe('Hi ***')
  })

  test('before hooks run exactly once, however often a wrap calls next', async () => {
    const order: string[] = []
    const twice = middleware({
      name: 'twice',
      priority: 1,
      async wrapModel(_ctx, next) {
        await next()
        return next()
      },
    })
    await createAgent({ model: hi(), use: [twice, traced('a', order)] }).send('Go')
    expect(order).toEqual(['before a', 'in a', 'out a', 'in a', 'out a', 'after a'])
  })
})

describe('at run time', () => {
  test('use registers, and its remover removes', async () => {
    const order: string[] = []
    const agent = createAgent({ model: hi(), breaker: false })
    const remove = agent.use(traced('late', order, { priority: 7 }))
    expect(agent.middleware).toEqual([{ name: 'late', enabled: true, priority: 7, guard: false }])
    await agent.send('Go')
    expect(order).toHaveLength(4)
    remove()
    remove()
    expect(agent.middleware).toEqual([])
    await agent.send('Go')
    expect(order).toHaveLength(4)
  })

  test('disable and enable take effect at the next stage, never half', async () => {
    const order: string[] = []
    const off = middleware({
      name: 'off',
      priority: 1,
      beforeModel(ctx) {
        if (ctx.step === 0) ctx.agent.disable('traced')
      },
      afterTools: ctx => ctx.agent.enable('traced'),
    })
    const agent = createAgent({ model: looks(), tools: [look], use: [off, traced('traced', order)] })
    await agent.send('Go')
    // Switched off inside the first model stage: that one is whole.
    expect(order).toEqual([...Array(2)].flatMap(() => ['before traced', 'in traced', 'out traced', 'after traced']))
  })

  test('switching tells every conversation that is kept by name', () => {
    const agent = createAgent({ model: hi(), use: [middleware({ name: 'x' })] })
    const chat = agent.conversation('named')
    const seen: unknown[] = []
    chat.subscribe(event => seen.push(event))
    agent.disable('x')
    agent.disable('x')
    agent.enable('x')
    expect(seen).toMatchObject([
      { type: 'middleware.changed', name: 'x', enabled: false },
      { type: 'middleware.changed', name: 'x', enabled: true },
    ])
  })

  test('a middleware brings its tools, and takes them with it', async () => {
    const agent = createAgent({ model: hi(), use: [middleware({ name: 'brings', provides: [look] })] })
    expect(agent.tools.map(({ name }) => name)).toEqual(['look'])
    agent.disable('brings')
    expect(agent.tools).toEqual([])
    agent.enable('brings')
    const clash = middleware({ name: 'clash', provides: [look] })
    expect(() => agent.use(clash)).toThrow('two tools "look"')
    // What could not be registered is not half there.
    expect(agent.middleware.map(({ name }) => name)).not.toContain('clash')
    expect(agent.tools.map(({ name }) => name)).toEqual(['look'])
  })
})

describe('scope by tool', () => {
  test.each([
    { tools: ['look'], ran: ['look'] },
    { tools: [/^git_/], ran: ['git_log', 'git_push'] },
    { tools: [/^git_/g], ran: ['git_log', 'git_push'] },
    { tools: ['look', /push$/], ran: ['look', 'git_push'] },
  ])('$tools', async ({ tools, ran }) => {
    const names = ['look', 'git_log', 'git_push']
    const seen: string[] = []
    const scoped = middleware({
      name: 'scoped',
      tools,
      beforeTool: ctx => void seen.push(ctx.call.name),
      wrapTool: (_ctx, next) => next(),
      afterTool: ctx => void seen.push(`after ${ctx.call.name}`),
    })
    const model = scriptedModel([{ calls: names.map(name => ({ name })) }, 'Done'])
    const made = names.map(name => tool({ name, run: () => name }))
    await createAgent({ model, tools: made, use: [scoped] }).send('Go')
    expect(seen).toEqual([...ran, ...ran.map(name => `after ${name}`)])
  })
})

test('a hook that takes too long fails after its time, in active milliseconds', async () => {
  const clock = virtualClock()
  const slow = middleware({ name: 'slow', timeout: 100, beforeModel: ctx => ctx.clock.sleep(1000) })
  const turn = createAgent({ model: hi(), use: [slow], clock }).send('Go')
  await clock.advance(99)
  expect(turn.ended).toBe(false)
  await clock.advance(1)
  const { status, error } = await turn.settled
  expect(status).toBe('failed')
  expect((error as Error).cause).toMatchObject({ code: 'hook.timeout' })
  expect(clock.timers).toBe(0)
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

describe('onChunk', () => {
  test('passes, changes, drops, splits and holds; the end releases what was held', async () => {
    const say = (text: string) => ({ type: 'text' as const, text })
    const answers: Record<string, ShownChunk | ShownChunk[]> = {
      'change ': say('CHANGED '),
      'drop ': [],
      'split ': [...'split'].map(say),
      'hold ': [],
    }
    const words = ['pass ', 'change ', 'drop ', 'split ', 'hold ', 'last']
    const model = scriptedModel([{ chunks: words.map(say) }])
    const hook = middleware({
      name: 'hook',
      onChunk: chunk =>
        chunk.type === 'end' ? [say(' held')] : chunk.type === 'text' ? answers[chunk.text] : undefined,
    })
    const turn = createAgent({ model, use: [hook] }).send('Go')
    const deltas: string[] = []
    for await (const event of turn) if (event.type === 'message.delta') deltas.push(event.text)
    expect((await turn).text).toBe('pass CHANGED splitlast held')
    expect(deltas.join('')).toBe('pass CHANGED splitlast held')
  })

  test('what one hook released passes the hooks behind it', async () => {
    const hold = middleware({
      name: 'hold',
      onChunk: chunk => (chunk.type === 'end' ? [{ type: 'text', text: 'secret' }] : []),
    })
    const hide = middleware({
      name: 'hide',
      guard: true,
      onChunk: chunk => (chunk.type === 'text' ? { type: 'text', text: '***' } : undefined),
    })
    expect((await createAgent({ model: hi(), use: [hold, hide] }).send('Go')).text).toBe('***')
  })

  test('a directive ends the stream', async () => {
    const { stop } = await import('turnbuckle')
    let sent = 0
    const model = {
      id: 'endless',
      async *stream() {
        for (;;) {
          sent++
          yield { type: 'text' as const, text: 'more ' }
        }
      },
    }
    const limit = middleware({ name: 'limit', onChunk: () => (sent === 5 ? stop('long enough') : undefined) })
    expect(await createAgent({ model, use: [limit] }).send('Go')).toMatchObject({
      status: 'stopped',
      by: 'limit',
      text: 'more more more more ',
    })
    expect(sent).toBeLessThan(8)
  })

  test('calls, reasoning and arrays of chunks pass it too', async () => {
    const types: string[] = []
    const watch = middleware({ name: 'watch', onChunk: chunk => void types.push(chunk.type) })
    const model = scriptedModel([
      {
        chunks: [
          [
            { type: 'reasoning', text: 'Hm' },
            { type: 'text', text: 'A' },
          ],
          { type: 'call', id: 'c', name: 'look', args: {} },
          { type: 'usage', inputTokens: 1, outputTokens: 1 },
          { type: 'finish', reason: 'tool-calls' },
        ],
      },
      'B',
    ])
    await createAgent({ model, tools: [look], use: [watch] }).send('Go')
    expect(types).toEqual(['reasoning', 'text', 'call', 'usage', 'finish', 'end', 'text', 'finish', 'end'])
  })
})

test('a middleware that cannot be switched on stays off, and the others work on', async () => {
  const brings = (name: string) => middleware({ name, provides: [tool({ name: 'same', run: () => name })] })
  const model = scriptedModel([{ calls: [{ name: 'same' }] }, 'The end.'])
  const agent = createAgent({ model, use: [brings('first')] })
  agent.disable('first')
  agent.use(brings('second'))
  expect(() => agent.enable('first')).toThrow(expect.objectContaining({ code: 'tool.duplicate' }))
  expect(agent.middleware.find(({ name }) => name === 'first')?.enabled).toBe(false)
  const { messages } = await agent.send('Go.')
  expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: 'second' })
})

describe('middleware of one turn', () => {
  const chat = () => createAgent({ model: scriptedModel(['Hi.']), use: [middleware({ name: 'known' })] }).conversation()
  test.each<{ what: string; use: unknown; code: string }>([
    { what: 'a name that the agent has', use: [middleware({ name: 'known' })], code: 'middleware.duplicate' },
    {
      what: 'one name twice',
      use: [middleware({ name: 'a' }), middleware({ name: 'a' })],
      code: 'middleware.duplicate',
    },
    {
      what: 'a hook of no stage',
      use: [middleware({ name: 'a', beforeModle() {} } as never)],
      code: 'hook.unknown',
    },
    { what: 'what is none', use: [() => {}], code: 'middleware.invalid' },
    {
      what: 'tools, which it would not have',
      use: [middleware({ name: 'a', provides: [tool({ name: 'look', run: () => 1 })] })],
      code: 'middleware.invalid',
    },
  ])('is refused with $what', ({ use, code }) => {
    expect(() => chat().send('Go.', { use: use as never })).toThrow(expect.objectContaining({ code }))
  })

  test('is the middleware of no other, also where there is none', async () => {
    const order: string[] = []
    const turn = chat().send('Go.')
    expect(() => (turn.use as Middleware[]).push(traced('late', order))).toThrow(TypeError)
    await Promise.all([turn, chat().send('Go.')])
    expect(order).toEqual([])
  })
})

describe('a stage is opened with all hooks of a middleware, or with none', () => {
  const seeing = (name: string, seen: string[], beforeModel: () => void) =>
    middleware({
      name,
      beforeModel,
      onChunk: ({ type }) => void seen.push(type),
      onError: () => void seen.push('error'),
      afterModel: () => void seen.push('after'),
    })
  const cut = () => scriptedModel([{ text: 'Hm.', error: new Error('cut') }])

  test('one that switches itself off sees its stage to the end', async () => {
    const seen: string[] = []
    const agent = createAgent({ model: cut(), use: [seeing('m', seen, () => agent.disable('m'))] })
    await agent.send('Go.').settled
    expect(seen).toEqual(['text', 'after', 'error'])
  })

  test('one that is added meanwhile sees nothing of it', async () => {
    const seen: string[] = []
    const adds = middleware({ name: 'adds', beforeModel: () => void agent.use(seeing('m', seen, () => {})) })
    const agent = createAgent({ model: cut(), use: [adds] })
    await agent.send('Go.').settled
    expect(seen).toEqual([])
  })
})
