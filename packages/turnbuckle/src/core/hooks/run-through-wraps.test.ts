import { createAgent, middleware, replace, skip, tool } from 'turnbuckle'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

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
