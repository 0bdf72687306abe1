import {
  createAgent,
  type ErrorKind,
  goto,
  isHookError,
  type Model,
  middleware,
  pipeline,
  replace,
  stage,
  stop,
  type Tool,
  TurnbuckleError,
  textOf,
  tool,
} from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const error = (kind: ErrorKind) => new TurnbuckleError(`test.${kind}`, `a ${kind} error`, { kind })
const limited = Object.assign(new Error('slow down'), { status: 429 })
const late = Object.assign(new Error('too late'), { name: 'TimeoutError' })
const failing = (thrown: unknown) => tool({ name: 'look', run: () => Promise.reject(thrown) })
const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

describe('without a policy', () => {
  test("a tool's error is a result, and the turn goes on", async () => {
    const { status, messages } = await createAgent({ model: looks(), tools: [failing(new Error('no file'))] }).send(
      'Go',
    )
    expect(status).toBe('completed')
    expect(messages[2]?.content[0]).toMatchObject({ status: 'error', value: 'no file' })
  })

  test.each([
    { what: 'an error', thrown: new Error('down'), reason: 'down' },
    { what: 'a rate limit', thrown: limited, reason: 'slow down' },
    { what: 'text', thrown: 'just text', reason: 'just text' },
  ])("the model's failure with $what fails the turn; the text shown stays, marked", async ({ thrown, reason }) => {
    const turn = createAgent({ model: scriptedModel([{ text: 'Well', error: thrown }]) }).send('Go')
    const { status, error: seen, by, messages } = await turn.settled
    expect({ status, seen, by }).toEqual({ status: 'failed', seen: thrown, by: 'model' })
    expect(messages[1]).toMatchObject({ role: 'assistant', interrupted: true })
    expect(textOf(messages[1])).toBe('Well')
    const rejection = await Promise.resolve(turn).catch(caught => caught)
    expect(rejection).toBeInstanceOf(Error)
    expect(rejection.message).toContain(reason)
    expect(rejection.result).toMatchObject({ status: 'failed' })
  })

  test('a hook that throws in before or wrap fails its stage, and the turn', async () => {
    for (const hook of ['beforeModel', 'wrapModel', 'beforeTool', 'wrapTool']) {
      const broken = middleware({
        name: 'broken',
        [hook]: () => {
          throw new Error('oops')
        },
      } as Parameters<typeof middleware>[0])
      const agent = createAgent({ model: looks(), tools: [failing(1)], use: [broken] })
      const { status, error: seen, by } = await agent.send('Go').settled
      expect({ status, by }).toEqual({ status: 'failed', by: 'broken' })
      expect(isHookError(seen)).toBe(true)
      expect(seen).toMatchObject({ code: 'hook.failed', by: 'broken', at: hook })
      expect((seen as Error).cause).toEqual(new Error('oops'))
    }
  })

  test('a hook that throws in after, onChunk, onError or onEvent is reported, and the loop goes on', async () => {
    for (const hook of ['afterModel', 'afterTool', 'onChunk', 'onEvent', 'onError']) {
      const broken = middleware({
        name: 'broken',
        [hook]: () => {
          throw new Error('oops')
        },
      } as Parameters<typeof middleware>[0])
      const turn = createAgent({ model: looks(), tools: [failing(new Error('x'))], use: [broken] }).send('Go')
      expect((await turn.settled).status).toBe('completed')
      const reported: unknown[] = []
      for await (const event of turn)
        if (event.type === 'hook.failed') reported.push([event.name, event.point, event.error])
      expect(reported).toContainEqual(['broken', hook, 'oops'])
    }
  })
})

describe('onFailure', () => {
  const broken = (hook: string, onFailure: 'open' | 'closed') =>
    middleware({
      name: 'broken',
      onFailure,
      [hook]: () => {
        throw new Error('oops')
      },
    } as Parameters<typeof middleware>[0])
  const look = tool({ name: 'look', run: () => 'seen' })

  test.each(['beforeTurn', 'beforeModel', 'wrapModel', 'beforeTool', 'wrapTool', 'beforeAppend', 'wrapAppend'])(
    'open in %s: as if the hook were not there',
    async hook => {
      const turn = createAgent({ model: looks(), tools: [look], use: [broken(hook, 'open')] }).send('Go')
      const { status, messages } = await turn
      expect(status).toBe('completed')
      expect(messages[2]?.content[0]).toMatchObject({ status: 'ok', value: 'seen' })
    },
  )
  test.each(['afterModel', 'afterTools', 'afterDecide', 'afterTurn'])('closed in %s: the turn fails', async hook => {
    const turn = createAgent({ model: looks(), tools: [look], use: [broken(hook, 'closed')] }).send('Go')
    expect(await turn.settled).toMatchObject({ status: 'failed', by: 'broken' })
  })
})

describe('the policy decides by kind', () => {
  const kinds: readonly { kind: ErrorKind; thrown: unknown }[] = [
    { kind: 'tool', thrown: new Error('plain') },
    { kind: 'rateLimit', thrown: limited },
    { kind: 'timeout', thrown: late },
    { kind: 'validation', thrown: error('validation') },
    { kind: 'unknown', thrown: error('unknown') },
  ]
  test.each(kinds)('stop on $kind fails the turn with it', async ({ kind, thrown }) => {
    const agent = createAgent({ model: looks(), tools: [failing(thrown)], errors: { [kind]: 'stop' } })
    const { status, error: seen, messages } = await agent.send('Go').settled
    expect(status).toBe('failed')
    expect(seen).toBe(thrown)
    expect(messages[2]?.content[0]).toMatchObject({ type: 'result', status: kind === 'timeout' ? 'timeout' : 'error' })
  })

  test('stop on toolBlocked fails the turn when a call is blocked or denied', async () => {
    const { block } = await import('turnbuckle')
    const guard = middleware({ name: 'guard', guard: true, beforeTool: () => block('no') })
    const agent = createAgent({ model: looks(), tools: [failing(1)], use: [guard], errors: { toolBlocked: 'stop' } })
    expect(await agent.send('Go').settled).toMatchObject({ status: 'failed', error: { code: 'tool.blocked' } })
  })

  test('ignore on model goes on without a reply', async () => {
    const model = scriptedModel([{ error: new Error('down') }])
    expect(await createAgent({ model, errors: { model: 'ignore' } }).send('Go')).toMatchObject({
      status: 'completed',
      text: '',
    })
  })

  test('ignore on hook lets the turn go on, but never past what is not recorded', async () => {
    const broken = (hook: string) =>
      middleware({
        name: 'broken',
        [hook]: () => {
          throw new Error('oops')
        },
      } as Parameters<typeof middleware>[0])
    const run = (hook: string) =>
      createAgent({ model: scriptedModel(['Hi']), use: [broken(hook)], errors: { hook: 'ignore' } }).send('Go').settled
    expect((await run('beforeDecide')).status).toBe('completed')
    expect((await run('beforeAppend')).status).toBe('failed')
  })
})

describe('onError', () => {
  test('sees every failure once, with the call it belongs to', async () => {
    const seen: unknown[] = []
    const watch = middleware({
      name: 'watch',
      onError: (thrown, ctx) => void seen.push([thrown, ctx.stage, ctx.call?.id]),
    })
    const down = new Error('down')
    const missing = new Error('no file')
    const model = scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, { error: down }])
    await createAgent({ model, tools: [failing(missing)], use: [watch] }).send('Go').settled
    expect(seen).toEqual([
      [missing, 'tool', 'c1'],
      [down, 'model', undefined],
    ])
  })

  test('may replace the result, or steer instead of the policy', async () => {
    const cure = middleware({ name: 'cure', onError: () => replace('A cached answer.') })
    const model = () => scriptedModel([{ error: new Error('down') }])
    expect(await createAgent({ model: model(), use: [cure] }).send('Go')).toMatchObject({
      status: 'completed',
      text: 'A cached answer.',
    })
    const ends = middleware({ name: 'ends', onError: () => stop('no luck', { say: 'Try later.' }) })
    expect(await createAgent({ model: model(), use: [ends] }).send('Go')).toMatchObject({
      status: 'stopped',
      by: 'ends',
      text: 'Try later.',
    })
  })
})

describe('wraps and errors', () => {
  test('a retry gets the stage error; a hook error gets past it', async () => {
    let tries = 0
    const retry = middleware({
      name: 'retry',
      priority: 1,
      async wrapModel(_ctx, next) {
        for (;;) {
          try {
            tries++
            return await next()
          } catch (thrown) {
            if (isHookError(thrown) || tries === 3) throw thrown
          }
        }
      },
    })
    const down = scriptedModel([{ error: new Error('1') }, { error: new Error('2') }, 'Up again'])
    expect(await createAgent({ model: down, use: [retry] }).send('Go')).toMatchObject({ text: 'Up again' })
    expect(tries).toBe(3)
    tries = 0
    const broken = middleware({
      name: 'broken',
      wrapModel: () => {
        throw new Error('oops')
      },
    })
    const agent = createAgent({ model: scriptedModel(['Hi']), use: [retry, broken] })
    expect(await agent.send('Go').settled).toMatchObject({ status: 'failed', by: 'broken' })
    expect(tries).toBe(1)
  })

  test('a hook error counts even when a wrap swallowed it', async () => {
    const swallow = middleware({ name: 'swallow', priority: 1, wrapTool: (_ctx, next) => next().catch(() => 'fine') })
    const broken = middleware({
      name: 'broken',
      wrapTool: () => {
        throw new Error('oops')
      },
    })
    const agent = createAgent({ model: looks(), tools: [failing(1)], use: [swallow, broken] })
    expect(await agent.send('Go').settled).toMatchObject({ status: 'failed', by: 'broken' })
  })

  test.each([
    { how: 'never calls next', wrap: () => undefined, code: 'next.missing' },
    {
      how: 'does not await next',
      wrap: (_ctx: unknown, next: () => Promise<unknown>) => void next(),
      code: 'next.pending',
    },
  ])('a wrap that $how is told so', async ({ wrap, code }) => {
    const forgets = middleware({ name: 'forgets', wrapModel: wrap } as unknown as Parameters<typeof middleware>[0])
    const { error: seen } = await createAgent({ model: scriptedModel(['Hi']), use: [forgets] }).send('Go').settled
    expect((seen as Error).cause).toMatchObject({ code })
  })
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
