import { createAgent, isHookError, middleware, replace, skip, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'

const giveN = tool({ name: 'echo', run: ({ n }) => n })
const failing = (thrown: unknown) => tool({ name: 'look', run: () => Promise.reject(thrown) })
const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
const echo = tool({ name: 'echo', run: args => args })
const oneCall = () => scriptedModel([{ calls: [{ name: 'echo', args: { n: 1 } }] }, 'Done', 'More'])

describe('a wrap that fails open', () => {
  test.each([
    {
      name: 'after the stage failed, leaves the error of the stage',
      script: [{ error: new Error('provider down') }],
      is: { status: 'failed', by: 'model', reason: 'provider down' },
    },
    {
      name: 'after the stage succeeded, leaves its result',
      script: ['hello'],
      is: { status: 'completed', text: 'hello' },
    },
  ])('$name', async ({ script, is }) => {
    const log = middleware({
      name: 'log',
      onFailure: 'open',
      async wrapModel(_ctx, next) {
        await next().catch(() => {})
        throw new Error('disk full')
      },
    })
    expect(await createAgent({ model: scriptedModel(script), use: [log] }).send('hi').settled).toMatchObject(is)
  })
})

test('a wrap that fails open with a result that the stage cannot read is as if it were not there', async () => {
  const odd = middleware({ name: 'odd', onFailure: 'open', wrapModel: () => skip({ role: 'user', content: 'Hm.' }) })
  const { status, text } = await createAgent({ model: scriptedModel(['Hi.']), use: [odd] }).send('Go.')
  expect({ status, text }).toEqual({ status: 'completed', text: 'Hi.' })
})

describe('a wrap that has returned', () => {
  test('runs nothing more: a next that it kept is refused', async () => {
    let ran = 0
    let kept: (() => Promise<unknown>) | undefined
    const keep = middleware({
      name: 'keep',
      wrapTool: (_ctx, next) => {
        kept = next
        return next()
      },
    })
    const count = tool({ name: 'count', run: () => ++ran })
    const model = scriptedModel([{ calls: [{ name: 'count' }] }, 'The end.'])
    await createAgent({ model, tools: [count], use: [keep] }).send('Go.')
    await expect(kept?.()).rejects.toMatchObject({ code: 'next.late' })
    expect(ran).toBe(1)
  })

  test('a value that the stage cannot read as its result fails once', async () => {
    const failures: string[] = []
    const odd = middleware({
      name: 'odd',
      wrapDecide: () => replace('perhaps'),
      onEvent: event => void (event.type === 'hook.failed' && failures.push(event.error)),
    })
    const { reason } = await createAgent({ model: scriptedModel(['Hi.']), use: [odd] }).send('Go.').settled
    expect(failures).toEqual(['Expected true (go on) or false (end), got string.'])
    expect(reason).toBe(`"odd" failed in wrapDecide: ${failures[0]}`)
  })
})

describe('the time of a wrap', () => {
  const hang = () => new Promise<never>(() => {})

  test.each([
    { name: 'a guard that hangs blocks its call', guard: true, is: { status: 'completed' }, result: 'blocked' },
    { name: 'any other fails', guard: false, is: { status: 'failed', by: 'slow' }, result: 'error' },
  ])('$name after it', async ({ guard, is, result }) => {
    const clock = virtualClock()
    const slow = middleware({ name: 'slow', guard, timeout: 100, wrapTool: hang })
    const echo = tool({ name: 'echo', run: () => 'ran' })
    const model = scriptedModel([{ calls: [{ name: 'echo' }] }, 'The end.'])
    const turn = createAgent({ model, tools: [echo], use: [slow], clock }).send('Go.')
    await clock.advance(99)
    expect(turn.ended).toBe(false)
    await clock.advance(1)
    const settled = await turn.settled
    expect(settled).toMatchObject(is)
    expect(settled.messages[2]?.content[0]).toMatchObject({
      status: result,
      value: expect.stringContaining('"slow" took longer than 100 ms.'),
    })
    expect(clock.timers).toBe(0)
  })

  test('is its own: what it wraps, and a person who is asked, take theirs', async () => {
    const clock = virtualClock()
    const patient = middleware({
      name: 'patient',
      timeout: 100,
      async wrapModel(ctx, next) {
        await ctx.clock.sleep(60)
        await ctx.ask('question', {}, { timeout: 1000, fallback: 'yes' })
        const reply = await next()
        await ctx.clock.sleep(ctx.draft.text === 'Slow.' ? 30 : 60)
        return reply
      },
    })
    const model = scriptedModel([
      { text: 'Slow.', delayMs: 5000 },
      { text: 'Slower.', delayMs: 5000 },
    ])
    const chat = createAgent({ model, use: [patient], clock }).conversation()
    const first = chat.send('Go.')
    await clock.advance(10_000)
    expect(await first).toMatchObject({ status: 'completed', text: 'Slow.' })
    const second = chat.send('Go.')
    await clock.advance(10_000)
    expect(await second.settled).toMatchObject({ status: 'failed', by: 'patient' })
  })
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
  const { messages } = await createAgent({ model, tools: [giveN], use }).send('go')
  expect(seen).toEqual([{ n: 7 }])
  expect(messages[2]?.content[0]).toMatchObject({ value: 7 })
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

test('a guard whose wrap changes the input has failed: the call is blocked', async () => {
  const guard = middleware({
    name: 'guard',
    guard: true,
    wrapTool: (ctx, next) => next({ ...ctx.call, args: { n: 2 } }),
  })
  const { messages } = await createAgent({ model: oneCall(), tools: [echo], use: [guard] }).send('Go')
  expect(resultsOf(messages)).toMatchObject([{ status: 'blocked' }])
})
