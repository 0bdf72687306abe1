import { createAgent, goto, type Model, middleware, pipeline, stage, type Tool, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

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
    ['a limit that is no number', () => agent({ model, maxSteps: NaN }), 'option.invalid', /maxSteps as a number/],
    ['a time below zero', () => agent({ model, cleanupMs: -1 }), 'option.invalid', /cleanupMs as a number from 0/],
    ['no tool at once', () => agent({ model, parallelTools: 0 }), 'option.invalid', /parallelTools as a number from 1/],
    [
      'an unknown kind of error',
      () => agent({ model, errors: { hooks: 'stop' } }),
      'option.invalid',
      /no kind "hooks"/,
    ],
    ['an unknown policy', () => agent({ model, errors: { hook: 'skip' } }), 'option.invalid', /'stop' or 'ignore'/],
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
      /Add schema: …, in place of input: it is JSON Schema/,
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

test('every agent has a circuit breaker, its own or the usual one, unless it is left out', () => {
  const named = (options: { breaker?: boolean; use?: readonly ReturnType<typeof middleware>[] }) =>
    createAgent({ model: scriptedModel([]), ...options }).middleware.map(({ name, priority }) => `${name} ${priority}`)
  const own = middleware({ name: 'circuit-breaker', priority: 7 })
  expect(named({})).toEqual([expect.stringMatching(/^circuit-breaker/)])
  expect(named({ use: [own] })).toEqual(['circuit-breaker 7'])
  expect(named({ breaker: false })).toEqual([])
})
