import { createAgent, goto, type Model, middleware, pipeline, stage, stop, type Tool, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
const settle = () => new Promise<void>(resolve => setImmediate(resolve))
/** What the types refuse, as plain JavaScript may write it. */
function plainJavaScript(model: Model, look: Tool) {
  const agent = createAgent as (options?: unknown) => unknown
  const make = { tool, middleware, stage } as unknown as Record<string, (definition?: unknown) => unknown>
  const any = (value: unknown) => value as never
  const cases: readonly [string, () => unknown, string, RegExp][] = [
    ['createAgent()', () => agent(), 'model.missing', /createAgent\(\{ model/],
    ['createAgent({})', () => agent({}), 'model.missing', /createAgent\(\{ model/],
    ['createAgent(null)', () => agent(null), 'model.missing', /createAgent\(\{ model/],
    ['a model that is none', () => agent({ model: {} }), 'model.invalid', /stream\(prompt, options\)/],
    ['a model of the AI SDK', () => agent({ model: { doStream() {} } }), 'model.invalid', /aiSdk\(model\)/],
    ['a misspelt option', () => agent({ model, uses: [] }), 'option.invalid', /Did you mean "use"\?/],
    ['an unknown option', () => agent({ model, x1y2z3w4: [] }), 'option.invalid', /There are: model/],
    ['tools that are no list', () => agent({ model, tools: look }), 'option.invalid', /tools: \[/],
    ['use that is no list', () => agent({ model, use: {} }), 'option.invalid', /use: \[/],
    ['a tool that is none', () => agent({ model, tools: [{ name: 'a' }] }), 'tool.invalid', /tool\(\{/],
    ['no tool at all', () => agent({ model, tools: [undefined] }), 'tool.invalid', /tool\(\{/],
    ['a middleware that is none', () => agent({ model, use: [{ name: 'a' }] }), 'middleware.invalid', /middleware\(\{/],
    ['a middleware that was not called', () => agent({ model, use: [approval] }), 'middleware.invalid', /approval\(\)/],
    ['no middleware at all', () => agent({ model, use: [undefined] }), 'middleware.invalid', /middleware\(\{/],
    ['agent.use()', () => createAgent({ model }).use(any(undefined)), 'middleware.invalid', /middleware\(\{/],
    ['tool()', () => make.tool?.(), 'tool.invalid', /tool\(\{ name/],
    ['tool({ run })', () => make.tool?.({ run: () => 1 }), 'tool.name', /letters, digits/],
    ['tool({ name })', () => make.tool?.({ name: 'a' }), 'tool.run', /run\(args, ctx\)/],
    [
      'a tool with JSON Schema as its input',
      () => make.tool?.({ name: 'a', input: { type: 'object' }, run: () => 1 }),
      'tool.input',
      /goes into `schema`/,
    ],
    ['middleware()', () => make.middleware?.(), 'middleware.unnamed', /middleware\(\{ name/],
    ['middleware({})', () => make.middleware?.({}), 'middleware.unnamed', /middleware\(\{ name/],
    ['a hook that is no function', () => make.middleware?.({ name: 'a', beforeTool: 1 }), 'hook.invalid', /function/],
    ['stage()', () => make.stage?.(), 'stage.name', /camelCase/],
    ['stage({})', () => make.stage?.({}), 'stage.name', /camelCase/],
    ['stage({ name })', () => make.stage?.({ name: 'a' }), 'stage.run', /run\(ctx, input\)/],
    ['a stage that is none', () => pipeline().before('model', any({ name: 'a' })), 'stage.invalid', /stage\(\{/],
    ['no stage to replace with', () => pipeline().replace('model', any(undefined)), 'stage.invalid', /stage\(\{/],
    ['goto()', () => goto(any(undefined)), 'goto.target', /goto\("model"\)/],
    ['send()', () => createAgent({ model }).send(any(undefined)), 'message.invalid', /text or a message/],
  ]
  return cases.map(([what, make, code, says]) => ({ what, make, code, says }))
}
const hi = () => scriptedModel(['Hi'], { repeat: true })
const look = tool({ name: 'look', run: () => 'seen' })
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

test('closing an agent without a store interrupts what runs', async () => {
  const hang = tool({ name: 'look', run: () => new Promise(() => {}) })
  const agent = createAgent({ model: looks(), tools: [hang] })
  const turn = agent.conversation('named').send('Go')
  await settle()
  await agent.close()
  expect(await turn).toMatchObject({ status: 'interrupted', reason: 'the agent was closed' })
})

describe('what is wrong in the set-up', () => {
  const model = scriptedModel([])
  const look = tool({ name: 'look', run: () => 1 })
  test.each<{ what: string; make: () => unknown; code: string; says: RegExp }>([
    {
      what: 'two middleware of one name',
      make: () => createAgent({ model, use: [middleware({ name: 'a' }), middleware({ name: 'a' })] }),
      code: 'middleware.duplicate',
      says: /another name/,
    },
    {
      what: 'a middleware without a name',
      make: () => middleware({ name: '' }),
      code: 'middleware.unnamed',
      says: /needs a name/,
    },
    {
      what: 'a hook that matches no stage',
      make: () => createAgent({ model, use: [middleware({ name: 'a', beforeTol: () => {} } as never)] }),
      code: 'hook.unknown',
      says: /Did you mean "beforeTool"\?/,
    },
    {
      what: 'a setting that does not exist',
      make: () => middleware({ name: 'a', prioritty: 1 } as never),
      code: 'hook.unknown',
      says: /Did you mean "priority"\?/,
    },
    {
      what: 'two tools of one name',
      make: () => createAgent({ model, tools: [look, look] }),
      code: 'tool.duplicate',
      says: /Rename one/,
    },
    {
      what: 'a tool with an impossible name',
      make: () => tool({ name: 'no spaces', run: () => 1 }),
      code: 'tool.name',
      says: /letters, digits/,
    },
    ...plainJavaScript(model, look),
    {
      what: 'an unknown middleware to switch',
      make: () => createAgent({ model, breaker: false }).disable('x'),
      code: 'middleware.unknown',
      says: /There are: none/,
    },
  ])('$what', ({ make, code, says }) => {
    let seen: unknown
    try {
      make()
    } catch (thrown) {
      seen = thrown
    }
    expect(seen).toMatchObject({ name: 'TurnbuckleError', code })
    expect(String(seen)).toMatch(says)
  })
})

describe('at run time', () => {
  const looks = () => scriptedModel([{ calls: [{ name: 'look' }] }, 'Done'], { repeat: true })

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

  test('a switch for one conversation counts there alone, and more than the one for everyone', async () => {
    const order: string[] = []
    const agent = createAgent({ model: hi(), use: [traced('x', order)] })
    const [one, other] = [agent.conversation('one'), agent.conversation('other')]
    const seen: unknown[] = []
    one.subscribe(event => event.type === 'middleware.changed' && seen.push(event))
    other.subscribe(event => event.type === 'middleware.changed' && seen.push(event))
    const runs = async (chat: typeof one) => {
      order.length = 0
      await chat.send('Go')
      return order.length > 0
    }
    agent.disable('x', 'one')
    expect([await runs(one), await runs(other)]).toEqual([false, true])
    expect(agent.middleware.find(({ name }) => name === 'x')).toMatchObject({
      enabled: true,
      inConversations: { one: false },
    })
    expect(seen).toMatchObject([{ conversationId: 'one', name: 'x', enabled: false, only: true }])
    agent.enable('x', 'one')
    expect(await runs(one)).toBe(true)
    agent.disable('x')
    agent.enable('x', 'one')
    expect([await runs(one), await runs(other)]).toEqual([true, false])
    const brings = createAgent({ model: hi(), use: [middleware({ name: 'brings', provides: [look] })] })
    expect(() => brings.disable('brings', 'one')).toThrow('switch it for everyone')
  })

  test('hooks of whenOff run while their middleware is off, and only then', async () => {
    const order: string[] = []
    const kept = middleware({
      name: 'kept',
      beforeModel: () => void order.push('on'),
      whenOff: { beforeModel: () => void order.push('off') },
    })
    const agent = createAgent({ model: hi(), use: [kept] })
    await agent.send('Go')
    agent.disable('kept')
    await agent.send('Go')
    agent.enable('kept')
    agent.disable('kept', 'one')
    await agent.conversation('one').send('Go')
    expect(order).toEqual(['on', 'off', 'off'])
    const wrong = { name: 'wrong', whenOff: { beforeModle: () => {} } } as never
    expect(() => agent.use(middleware(wrong))).toThrow('beforeModel')
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

describe('the hooks of an agent', () => {
  const beforeTool = () => {}
  const use = [
    middleware({ name: 'late', priority: 200, beforeTool, afterTool: beforeTool }),
    middleware({ name: 'guard', guard: true, beforeTool, afterTool: beforeTool }),
    middleware({ name: 'usual', beforeTool, afterTool: beforeTool, onChunk: () => {} }),
  ]
  const names = (hooks: readonly { middleware: string }[]) => hooks.map(hook => hook.middleware)

  test('are listed by point, in the order they run', () => {
    const agent = createAgent({ model: hi(), use, breaker: false })
    agent.disable('late')
    expect(agent.hooks('beforeTool')).toEqual([
      { point: 'beforeTool', middleware: 'usual', priority: 100, guard: false, enabled: true },
      { point: 'beforeTool', middleware: 'late', priority: 200, guard: false, enabled: false },
      { point: 'beforeTool', middleware: 'guard', priority: 100, guard: true, enabled: true },
    ])
    expect(names(agent.hooks('afterTool'))).toEqual(['guard', 'late', 'usual'])
    expect(names(agent.hooks('onChunk'))).toEqual(['usual'])
    expect(agent.hooks('wrapModel')).toEqual([])
    expect(agent.hooks().map(({ point, middleware }) => `${point} ${middleware}`)).toEqual([
      ...['beforeTool usual', 'beforeTool late', 'beforeTool guard'],
      ...['afterTool guard', 'afterTool late', 'afterTool usual', 'onChunk usual'],
    ])
  })

  test('a point that there is not is an error with the right name in it', () => {
    const agent = createAgent({
      model: hi(),
      pipeline: pipeline().after('model', stage({ name: 'own', run: () => {} })),
    })
    expect(agent.hooks('beforeOwn')).toEqual([])
    expect(() => agent.hooks('beforeTol')).toThrow('There is no hook point "beforeTol". Did you mean "beforeTool"?')
  })
})

test('send of an agent takes the options of a conversation, and refuses middleware with a misspelled hook', async () => {
  const agent = createAgent({ model: hi() })
  const no = middleware({ name: 'no', guard: true, beforeModel: () => stop('not now') })
  expect(await agent.send('Hi', { use: [no] })).toMatchObject({ status: 'stopped', by: 'no' })
  const misspelled = middleware({ name: 'a', beforeTol: () => {} } as never)
  expect(() => agent.send('Hi', { use: [misspelled] })).toThrow('Did you mean "beforeTool"?')
})
