import { type Agent, agentTool, block, createAgent, type Event, type Model, middleware, stop, tool } from 'turnbuckle'
import { toolRetry } from 'turnbuckle/middleware'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { checkHistory, recorder, type ScriptedStep, scriptedModel, virtualClock } from 'turnbuckle/testing'
import { workForCaller } from 'turnbuckle/tools'
import { describe, expect, test } from 'vitest'
import { look, looks } from '../../test/support/looks.ts'

const echo = tool({ name: 'echo', run: args => args })
const other = tool({ name: 'other', run: () => 'other' })
const callsChild: ScriptedStep = { calls: [{ name: 'child', args: { task: 'count' } }] }
const callsEcho: ScriptedStep = { calls: [{ name: 'echo', args: { n: 1 } }] }
const results = (messages: readonly { content: readonly unknown[] }[]) =>
  messages.flatMap(({ content }) => content).filter(part => (part as { type: string }).type === 'result')
const root = (child: Agent, options: object = {}, agent: object = {}) =>
  createAgent({
    model: scriptedModel([callsChild, 'done']),
    tools: [agentTool(child, { name: 'child', ...options })],
    ...agent,
  })
test('a sub-agent answers its caller, and sees only its task', async () => {
  const model = scriptedModel(['three'])
  const { messages } = await root(createAgent({ model })).send('secret')
  expect(results(messages)).toMatchObject([{ status: 'ok', value: 'three' }])
  expect(JSON.stringify(model.prompts)).not.toContain('secret')
  expect(model.prompts[0]?.messages).toMatchObject([{ role: 'user', content: [{ text: 'count' }] }])
})

test('the caller is told which conversation the sub-agent works in', async () => {
  const events: Event[] = []
  for await (const event of root(createAgent({ name: 'counter', model: scriptedModel(['three']) })).send('go'))
    events.push(event)
  expect(events.find(({ type }) => (type as string) === 'agent.started')).toMatchObject({
    agent: 'counter',
    callId: 'call_1_1',
    agentConversationId: expect.not.stringMatching(`^${events[0]?.conversationId}$`),
  })
})

test.each<{ what: string; child: () => Agent; options?: object; says: string }>([
  {
    what: 'fails',
    child: () => createAgent({ model: scriptedModel([{ error: new Error('overloaded') }]) }),
    says: 'overloaded',
  },
  {
    what: 'is stopped by its own middleware',
    child: () =>
      createAgent({
        model: scriptedModel(['x']),
        use: [middleware({ name: 'no', beforeModel: () => stop('not today') })],
      }),
    says: 'not today',
  },
  {
    what: 'reaches its step limit',
    child: () => createAgent({ model: scriptedModel([callsEcho, 'x']), tools: [echo] }),
    options: { maxSteps: 1 },
    says: '1 steps',
  },
])('a sub-agent that $what is an error result, and its caller goes on', async ({ child, options, says }) => {
  const { messages, text, status } = await root(child(), options).send('go')
  expect(results(messages)).toMatchObject([{ status: 'error', value: expect.stringContaining(says) }])
  expect({ text, status }).toEqual({ text: 'done', status: 'completed' })
})

test.each<{ what: string; child: ScriptedStep[]; options: object; asked: number }>([
  { what: 'failed is tried again', child: [{ error: new Error('down') }, 'x'], options: {}, asked: 2 },
  { what: 'was stopped is not', child: [callsEcho, 'x'], options: { maxSteps: 1 }, asked: 1 },
])('with toolRetry, a sub-agent that $what', async ({ child, options, asked }) => {
  const model = scriptedModel(child)
  await root(createAgent({ model, tools: [echo] }), options, { use: [toolRetry({ baseMs: 0, repeat: 'all' })] }).send(
    'go',
  )
  expect(model.prompts).toHaveLength(asked)
})

test.each([
  { rule: { allow: ['other'] }, offered: ['other'] },
  { rule: { deny: ['echo'] }, offered: ['other'] },
  { rule: { allow: [/o/], deny: [/^oth/] }, offered: ['echo'] },
])('$rule leaves the sub-agent $offered', async ({ rule, offered }) => {
  const model = scriptedModel(['x'])
  await root(createAgent({ model, tools: [echo, other] }), rule).send('go')
  expect(model.prompts[0]?.tools.map(({ name }) => name)).toEqual(offered)
})

test('what was denied to a sub-agent does not run for it, nor for an agent below it', async () => {
  const model = scriptedModel([callsEcho, 'x'])
  const lowest = createAgent({ model, tools: [echo] })
  const middle = createAgent({
    model: scriptedModel([{ calls: [{ name: 'echo' }, { name: 'low', args: { task: 't' } }] }, 'y']),
    tools: [echo, agentTool(lowest, { name: 'low' })],
  })
  const ran: unknown[] = []
  const watch = middleware({
    name: 'watch',
    guard: true,
    afterTool: ctx => void ran.push([ctx.call.name, ctx.result.status]),
  })
  await root(middle, { deny: ['echo'] }, { use: [watch] }).send('go')
  expect(ran).toEqual([
    ['echo', 'error'],
    ['echo', 'blocked'],
    ['low', 'ok'],
    ['child', 'ok'],
  ])
})

test('the guards of the caller hold in the sub-agent', async () => {
  const guard = middleware({ name: 'no-echo', guard: true, tools: ['echo'], beforeTool: () => block('no') })
  const model = scriptedModel([callsEcho, 'x'])
  await root(createAgent({ model, tools: [echo] }), {}, { use: [guard] }).send('go')
  expect(results(model.prompts[1]?.messages ?? [])).toMatchObject([{ status: 'blocked' }])
})

test('an inherited guard has one state for the caller and all below', async () => {
  const counted: number[] = []
  const guard = middleware({
    name: 'count',
    guard: true,
    scope: 'conversation',
    state: { calls: 0 },
    beforeModel(ctx) {
      ctx.update(({ calls }) => ({ calls: calls + 1 }))
      counted.push(ctx.state.calls)
    },
  })
  await root(createAgent({ model: scriptedModel([callsEcho, 'x']), tools: [echo] }), {}, { use: [guard] }).send('go')
  expect(counted).toEqual([1, 2, 3, 4])
})

test('a question of a sub-agent surfaces at the root, and all clocks stand still', async () => {
  const clock = virtualClock()
  const asks = middleware({
    name: 'asks',
    guard: true,
    tools: ['echo'],
    async beforeTool(ctx) {
      if ((await ctx.ask('permission', ctx.call)).decision === 'deny') return block('no')
    },
  })
  const child = createAgent({ model: scriptedModel([callsEcho, 'x']), tools: [echo], use: [asks], clock })
  const chat = root(child, { timeout: 1000 }, { clock }).conversation()
  const turn = chat.send('go')
  for await (const event of turn) {
    if (event.type !== 'request.opened') continue
    expect(chat.requests).toHaveLength(1)
    await clock.advance(60_000)
    turn.answer(event.requestId, { decision: 'allow' })
  }
  expect(results((await turn).messages)).toMatchObject([{ status: 'ok', value: 'x' }])
})

test('an interrupt ends the sub-agent with its caller', async () => {
  const signals: AbortSignal[] = []
  const hang = tool({ name: 'echo', run: (_, { signal }) => new Promise(() => signals.push(signal)) })
  const child = createAgent({ model: scriptedModel([callsEcho]), tools: [hang] })
  const ended: unknown[] = []
  child.use(middleware({ name: 'end', afterTurn: ctx => void ended.push(ctx.result.status) }))
  const turn = root(child).send('go')
  while (!signals.length) await new Promise(resolve => setImmediate(resolve))
  turn.interrupt()
  expect((await turn).status).toBe('interrupted')
  while (!ended.length) await new Promise(resolve => setImmediate(resolve))
  expect(ended).toEqual(['interrupted'])
  expect(signals[0]?.aborted).toBe(true)
})

test('an agent that calls itself ends at the strictest depth limit above it', async () => {
  const model = scriptedModel([({ messages }) => (messages.length > 1 ? 'done' : (callsChild as object))], {
    repeat: true,
  })
  const self = createAgent({ model, maxDepth: 5 })
  self.use(middleware({ name: 'self', provides: [agentTool(self, { name: 'child' })] }))
  const { messages } = await root(self, {}, { maxDepth: 3 }).send('go')
  expect(results(messages)).toMatchObject([{ status: 'ok', value: 'done' }])
  expect(model.prompts).toHaveLength(6)
  expect(JSON.stringify(model.prompts)).toContain('Agents are nested 4 deep; 3 is the limit')
})

test('middleware sent with a turn holds for that turn alone', async () => {
  const seen: string[] = []
  const chat = createAgent({ model: scriptedModel(['a', 'b']) }).conversation()
  await chat.send('one', { use: [middleware({ name: 'once', beforeModel: ctx => void seen.push(ctx.turn.id) })] })
  await chat.send('two')
  expect(seen).toHaveLength(1)
})

describe('an agent as a tool of another', () => {
  const below = (use: Parameters<typeof createAgent>[0]['use'] = []) =>
    createAgent({ name: 'helper', model: looks(), tools: [look], use })
  const above = (helper: ReturnType<typeof below>, use: Parameters<typeof createAgent>[0]['use'] = []) =>
    createAgent({
      model: scriptedModel([{ calls: [{ name: 'help', args: { task: 'Look around.' } }] }, 'Thanks.']),
      tools: [agentTool(helper, { name: 'help' })],
      use,
    })

  test('its hooks fire as in any turn; its history is its own', async () => {
    const [inner, outer] = [recorder({ name: 'inner' }), recorder({ name: 'outer' })]
    const { text, messages } = await above(below([inner]), [outer]).send('Go')
    expect(text).toBe('Thanks.')
    expect(messages).toHaveLength(4)
    expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: 'Done' })
    const count = (record: typeof inner, hook: string) => record.calls.filter(call => call.hook === hook).length
    expect([count(inner, 'afterTool'), count(outer, 'afterTool')]).toEqual([2, 1])
    expect([count(inner, 'afterTurn'), count(outer, 'afterTurn')]).toEqual([1, 1])
  })

  test('the guards of whoever calls it hold inside; other middleware does not reach in', async () => {
    const seen: string[] = []
    const guard = middleware({
      name: 'guard',
      guard: true,
      beforeTool(ctx) {
        seen.push(ctx.call.name)
        if (ctx.call.name === 'look') return block('not in my house')
      },
    })
    const plain = middleware({ name: 'plain', beforeTool: ctx => void seen.push(`plain ${ctx.call.name}`) })
    await above(below(), [guard, plain]).send('Go')
    expect(seen).toEqual(['plain help', 'help', 'look', 'look'])
  })

  test('its questions surface at the root, and are answered there', async () => {
    const asks = middleware({
      name: 'asks',
      async beforeModel(ctx) {
        if (ctx.step === 0) await ctx.ask('question', { from: 'below' })
      },
    })
    const chat = above(below([asks])).conversation()
    const turn = chat.send('Go')
    const asked: unknown[] = []
    for await (const event of turn)
      if (event.type === 'request.opened') {
        asked.push(event.payload)
        turn.answer(event.requestId, 'Yes.')
      }
    expect(asked).toEqual([{ from: 'below' }])
    expect((await turn).text).toBe('Thanks.')
  })

  test('its failure is a tool error, its usage counts above', async () => {
    const usage = { inputTokens: 4, outputTokens: 1 }
    const failing = createAgent({
      model: scriptedModel([{ text: 'Hm', usage }]),
      use: [middleware({ name: 'no', afterDecide: () => stop('no') })],
    })
    const { messages, status, usage: total } = await above(failing).send('Go')
    expect(status).toBe('completed')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error' })
    expect(total.inputTokens).toBe(4)
    const broken = createAgent({ model: scriptedModel([{ error: new Error('down') }]) })
    expect((await above(broken).send('Go')).messages[2]?.content[0]).toMatchObject({ status: 'error' })
  })

  test('an interrupt ends both, each with a valid history', async () => {
    const hang = tool({ name: 'look', run: () => new Promise(() => {}) })
    const helper = createAgent({ model: looks(), tools: [hang] })
    const chat = above(helper).conversation()
    const turn = chat.send('Go')
    await new Promise(resolve => setImmediate(resolve))
    turn.interrupt()
    expect((await turn).status).toBe('interrupted')
    expect(checkHistory(chat.messages)).toEqual([])
    expect(chat.messages[2]?.content[0]).toMatchObject({ status: 'interrupted' })
  })

  test('an agent that calls itself meets the depth limit, as a tool error at each level', async () => {
    const tools: ReturnType<typeof agentTool>[] = []
    const model = scriptedModel(
      [
        ({ messages }) =>
          messages.at(-1)?.role === 'user' ? { calls: [{ name: 'self', args: { task: 'Deeper.' } }] } : 'Back.',
      ],
      { repeat: true },
    )
    const first = createAgent({ model, tools, maxDepth: 3 })
    const self = createAgent({ model, tools: [agentTool(first, { name: 'self' })], maxDepth: 3 })
    expect((await self.send('Go')).status).toBe('completed')
  })
})

test("a sub-agent's decisions are in the caller's explain(), with its call", async () => {
  const no = middleware({ name: 'no', beforeTool: ({ call }) => (call.name === 'echo' ? block('no echo') : undefined) })
  const child = createAgent({ name: 'counter', model: scriptedModel([callsEcho, 'three']), tools: [echo], use: [no] })
  const ends = middleware({ name: 'ends', afterDecide: ({ step }) => (step === 1 ? stop('enough') : undefined) })
  const turn = root(child, {}, { use: [ends] }).send('go')
  const { messages } = await turn
  const callId = (results(messages)[0] as { id: string }).id
  expect(turn.explain()).toMatchObject([
    { directive: 'block', by: 'no', at: 'beforeTool', won: true, agent: { name: 'counter', callId } },
    { directive: 'stop', by: 'ends', won: true },
  ])
  expect(turn.explain()[1]).not.toHaveProperty('agent')
})

test('a failed sub-agent on a store is tried again, from its beginning', async () => {
  const store = memoryStore()
  const model = scriptedModel([{ error: 'down' }, 'three'])
  const child = createAgent({ model, store })
  const { messages } = await root(child, {}, { store, use: [toolRetry({ baseMs: 0 })] }).send('Go.')
  expect(results(messages)).toMatchObject([{ status: 'ok', value: 'three' }])
  expect(model.prompts.map(({ messages: sent }) => sent.length)).toEqual([1, 1])
})

test('a sub-agent that failed before a process died has that failure handed on, and is tried again by toolRetry', async () => {
  const store = memoryStore()
  const child = (...script: ScriptedStep[]) => createAgent({ model: scriptedModel(script), store })
  const parks = middleware({
    name: 'parks',
    async wrapTool(ctx, next) {
      await next().catch(() => {})
      ctx.turn.park()
      return new Promise(() => {})
    },
  })
  const first = root(child({ error: 'down' }), {}, { store, use: [toolRetry({ baseMs: 0, times: 1 }), parks] })
  await first.conversation('c').send('Go.').settled
  const again = createAgent({
    model: scriptedModel(['done']),
    tools: [agentTool(child('three'), { name: 'child' })],
    store,
    use: [toolRetry({ baseMs: 0, times: 1 })],
  })
  const result = await again.resume('c')
  expect(results(result?.messages ?? [])).toMatchObject([{ status: 'ok', value: 'three' }])
})

test.each([
  { what: 'has ended it', script: ['three'] as ScriptedStep[], asked: [] },
  { what: 'has left it', script: [callsEcho, { text: 'never', delayMs: 3_600_000 }] as ScriptedStep[], asked: [3] },
])(
  'a sub-agent that another process has begun since its log was read is not begun again: that one $what',
  async ({ script, asked }) => {
    const { driver } = memoryStore()
    const make = (own: typeof driver, model: Model, steps: ScriptedStep[]) => {
      const store = createStore(own)
      const child = createAgent({ name: 'child', model, store, tools: [echo] })
      return createAgent({ model: scriptedModel(steps), store, tools: [agentTool(child, { name: 'child' })] })
    }
    const other = make(driver, scriptedModel(script), [])
    const begin = async (conversationId: string) => {
      const caller = { conversationId: 'c', turnId: 't', callId: 'c1', tool: 'child' }
      const value = { message: 'count', depth: 0, deepest: 5, waited: false, levels: [], refused: [] }
      const work = await workForCaller({ agent: other, conversationId, caller, by: '1', tell: async () => ({ value }) })
      if ('state' in work) throw new Error(work.state)
      work.conversation.subscribe(({ type }) => type === 'tool.completed' && work.turn.park())
      await work.done
    }
    let isBegun = false
    /** The other process begins between this one's reading of the sub-agent's log and its becoming the writer. */
    const slow = new Proxy(driver, {
      get(_, name: keyof typeof driver) {
        const own = driver[name]
        if (name !== 'commit') return typeof own === 'function' ? own.bind(driver) : own
        return async (given: Parameters<typeof driver.commit>[0]) => {
          const isFirst = given.conversation === 't.c1' && !isBegun
          isBegun ||= isFirst
          if (isFirst) await begin('t.c1')
          return driver.commit(given)
        }
      },
    })
    const model = scriptedModel(['three'])
    const calls: ScriptedStep = { calls: [{ id: 'c1', name: 'child', args: { task: 'count' } }] }
    const { messages } = await make(slow, model, [calls, 'done']).conversation('c').send('Go.', { id: 't' })
    expect(results(messages)).toMatchObject([{ status: 'ok', value: 'three' }])
    expect(model.prompts.map(({ messages: sent }) => sent.length)).toEqual(asked)
    expect(await createStore(driver).turns({ conversation: 't.c1' })).toMatchObject([{ status: 'completed' }])
  },
)

test.each([
  { what: 'ended', script: ['forged'] as ScriptedStep[], use: [] },
  {
    what: 'was left unfinished',
    script: [callsEcho],
    use: [middleware({ name: 'parks', beforeTool: ctx => ctx.turn.park() })],
  },
])(
  'a turn that $what in a conversation of the sub-agent’s id, for no call, is not the sub-agent’s',
  async ({ script, use }) => {
    const store = memoryStore()
    const model = scriptedModel(['three'])
    const child = createAgent({ model, store, tools: [echo] })
    const squats = middleware({
      name: 'squats',
      async beforeTool(ctx) {
        const squatter = createAgent({ model: scriptedModel(script), store, tools: [echo], use })
        await squatter.conversation(`${ctx.turn.id}.${ctx.call.id}`).send('Mine.').settled
        await squatter.close()
      },
    })
    const { messages } = await root(child, {}, { store, use: [squats] }).send('Go.')
    expect(results(messages)).toMatchObject([
      { status: 'error', value: expect.stringContaining('was not begun for this call') },
    ])
    expect(model.prompts).toEqual([])
  },
)
