import { createAgent, type Model, middleware, tool } from 'turnbuckle'
import { retry, timeLimit } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const deaf = tool({ name: 'deaf', run: () => new Promise(() => {}) })

describe('timeLimit', () => {
  test('ends a model that does not listen, and keeps what it had said', async () => {
    const clock = virtualClock()
    const model: Model = {
      id: 'stuck',
      async *stream() {
        yield { type: 'text', text: 'so far' }
        await new Promise(() => {})
      },
    }
    const turn = createAgent({ model, clock, use: [retry({ times: 3 }), timeLimit(100)] }).send('go')
    await clock.advance(100)
    const result = await turn
    expect(result).toMatchObject({ status: 'stopped', by: 'time-limit', reason: '100 ms', text: 'so far' })
    expect(clock.timers).toBe(0)
  })

  test('ends a tool that does not listen; its result is timeout, the others keep theirs', async () => {
    const clock = virtualClock()
    const quick = tool({ name: 'quick', run: () => 'ok' })
    const model = scriptedModel([{ calls: [{ name: 'deaf' }, { name: 'quick' }] }])
    const turn = createAgent({ model, tools: [deaf, quick], clock, use: [timeLimit(100)] }).send('go')
    await clock.advance(100)
    const { status, messages } = await turn
    const results = messages.flatMap(message => message.content).filter(part => part.type === 'result')
    expect([status, results.map(part => part.status)]).toEqual(['stopped', ['timeout', 'ok']])
    expect(clock.timers).toBe(0)
  })

  test('the time a person takes does not count', async () => {
    const clock = virtualClock()
    const asks = middleware({
      name: 'asks',
      beforeTool: async ctx => void (await ctx.ask('permission', ctx.call, { timeout: Infinity })),
    })
    const wait = tool({ name: 'wait', run: () => new Promise<string>(resolve => clock.after(60, () => resolve('ok'))) })
    const model = scriptedModel([{ calls: [{ name: 'wait' }] }, 'done'])
    const chat = createAgent({ model, tools: [wait], clock, use: [asks, timeLimit(100)] }).conversation()
    const turn = chat.send('go')
    await clock.advance(10_000)
    turn.answer(chat.requests[0]?.id ?? '', { decision: 'allow' })
    await clock.advance(60)
    expect(await turn).toMatchObject({ status: 'completed', text: 'done' })
  })

  test.each([
    { scope: 'turn' as const, status: ['completed', 'completed', 'completed'] },
    { scope: 'conversation' as const, status: ['completed', 'stopped', 'stopped'] },
  ])('$scope scope', async ({ scope, status }) => {
    const clock = virtualClock()
    const model = scriptedModel([{ text: 'hi', delayMs: 60 }], { repeat: true, clock })
    const chat = createAgent({ model, clock, use: [timeLimit({ max: 100, scope })] }).conversation()
    for (const expected of status) {
      const turn = chat.send('go')
      await clock.advance(60)
      expect((await turn).status).toBe(expected)
    }
  })

  test("a hook's own model call is ended too", async () => {
    const clock = virtualClock()
    const slow = scriptedModel([{ text: 'x', delayMs: 1000 }], { clock })
    const summary = middleware({
      name: 'summary',
      beforeModel: async ctx => void (await ctx.generate(slow, 'sum up')),
    })
    const turn = createAgent({ model: scriptedModel(['hi']), clock, use: [summary, timeLimit(100)] }).send('go')
    await clock.advance(100)
    expect(await turn.settled).toMatchObject({ status: 'stopped', by: 'time-limit' })
  })
})
