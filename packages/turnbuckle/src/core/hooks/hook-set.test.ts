import { createAgent, type Middleware, middleware, tool } from 'turnbuckle'
import { recorder, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { traced } from '../../../test/support/traced.ts'

const ran: unknown[] = []
const danger = tool({ name: 'danger', run: args => void ran.push(args) })
const callsDanger = (...args: unknown[]) =>
  scriptedModel([{ calls: args.map(a => ({ name: 'danger', args: a })) }, 'Done'])
const seen = () => ran.splice(0)
const hi = () => scriptedModel(['Hi'], { repeat: true })
test('a hook added in the middle of a stage starts at the next', async () => {
  const late = recorder({ name: 'late' })
  const adding = middleware({
    name: 'adding',
    state: { added: false },
    beforeModel(ctx) {
      if (ctx.state.added) return
      ctx.update(() => ({ added: true }))
      ctx.agent.use(late)
    },
  })
  await createAgent({ model: callsDanger({}), tools: [danger], use: [adding] }).send('Go')
  seen()
  const hooks = late.calls.map(({ hook, step }) => `${hook} ${step}`)
  expect(hooks[0]).toBe('beforeDetect 0')
  // Not the rest of the stage it was added in, nor of those around it.
  for (const missing of ['wrapModel 0', 'afterModel 0', 'afterStep 0', 'afterTurn 1'])
    expect(hooks).not.toContain(missing)
  expect(hooks).toContain('beforeModel 1')
  expect(hooks).toContain('afterStep 1')
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

describe('redactors of texts that fail', () => {
  const breaks = (redacts: (text: string) => string) => middleware({ name: 'breaks', guard: true, redacts })
  const throws = () => {
    throw new Error('EMP-1')
  }

  test.each([
    { what: 'throws', redacts: throws },
    { what: 'gives no text', redacts: () => undefined as unknown as string },
  ])('a turn whose redactor $what can be interrupted, and its reason is withheld', async ({ redacts }) => {
    const turn = createAgent({ model: hi(), use: [breaks(redacts)] }).send('Go')
    turn.interrupt('EMP-1')
    expect(await turn.settled).toMatchObject({ status: 'interrupted', reason: '[withheld]' })
  })

  test('a turn whose redactor throws can fail, and its reason is withheld', async () => {
    const model = scriptedModel([{ error: new Error('EMP-1') }])
    expect(await createAgent({ model, use: [breaks(throws)] }).send('Go').settled).toMatchObject({
      status: 'failed',
      reason: '[withheld]',
    })
  })
})

test('a result that its redactor gives nothing for is withheld', async () => {
  const nothing = middleware({ name: 'nothing', redactsResult: () => undefined as never })
  const look = tool({ name: 'danger', run: () => 'EMP-1' })
  const { messages } = await createAgent({ model: callsDanger({}), tools: [look], use: [nothing] }).send('Go')
  expect(JSON.stringify(messages)).toContain('The result is withheld')
  expect(JSON.stringify(messages)).not.toContain('EMP-1')
})

describe('agents with middleware in common', () => {
  test.each([
    { what: 'the same list', names: ['a', 'b'] },
    { what: 'the same ones in another order', names: ['b', 'a'] },
    { what: 'the first alone', names: ['a'] },
    { what: 'one more', names: ['a', 'b', 'c'] },
    { what: 'another second one', names: ['a', 'c'] },
  ])('run their own hooks, beside an agent with a and b: $what', async ({ names }) => {
    const order: string[] = []
    const made = new Map(['a', 'b', 'c'].map(name => [name, traced(name, order)]))
    const run = async (use: readonly string[]) => {
      const chosen = use.map(name => made.get(name) as Middleware)
      await createAgent({ model: hi(), use: chosen, breaker: false }).send('Go.')
      return order.splice(0).filter(line => line.startsWith('before'))
    }
    expect(await run(['a', 'b'])).toEqual(['before a', 'before b'])
    expect(await run(names)).toEqual(names.map(name => `before ${name}`))
    expect(await run(['a', 'b'])).toEqual(['before a', 'before b'])
  })
})
