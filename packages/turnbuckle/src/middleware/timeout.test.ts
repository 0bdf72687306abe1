import { createAgent, type Model, middleware, tool } from 'turnbuckle'
import { fallback, retry, timeout } from 'turnbuckle/middleware'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

describe('timeout', () => {
  test('each attempt behind retry has its own time', async () => {
    const clock = virtualClock()
    const model = scriptedModel([{ delayMs: 1000 }, { delayMs: 1000 }, { text: 'ok', delayMs: 50 }], { clock })
    const turn = createAgent({ model, clock, use: [retry({ baseMs: 0 }), timeout(100)] }).send('go')
    await clock.advance(99)
    expect(model.prompts).toHaveLength(1)
    await clock.advance(1)
    expect(model.prompts).toHaveLength(2)
    await clock.advance(150)
    expect(await turn).toMatchObject({ status: 'completed', text: 'ok' })
    expect(clock.timers).toBe(0)
  })

  test('before retry it limits all attempts together, and nothing goes on behind it', async () => {
    const clock = virtualClock()
    const model = scriptedModel([{ delayMs: 60, error: new Error('no') }], { repeat: true, clock })
    const turn = createAgent({ model, clock, use: [timeout(100), retry({ times: 9, baseMs: 0 })] }).send('go')
    await clock.advance(100)
    expect(await turn.settled).toMatchObject({ status: 'failed', reason: 'The model call took longer than 100 ms.' })
    await clock.advance(10_000)
    expect([model.prompts.length, clock.timers]).toEqual([2, 0])
  })

  test('a model that is too slow makes room for the next', async () => {
    const clock = virtualClock()
    const slow = scriptedModel([{ delayMs: 1000 }], { clock })
    const use = [fallback([scriptedModel(['quick'])]), timeout({ model: 100 })]
    const turn = createAgent({ model: slow, clock, use }).send('go')
    await clock.advance(100)
    expect((await turn).text).toBe('quick')
  })

  test.each([
    { title: 'silence ends it', gaps: [90, 90, 200], status: 'failed' },
    { title: 'slow but steady goes on', gaps: [90, 90, 90, 90, 90], status: 'completed' },
  ])('idle: $title', async ({ gaps, status }) => {
    const clock = virtualClock()
    const model: Model = {
      id: 'slow',
      async *stream() {
        for (const gap of gaps) {
          await new Promise<void>(resolve => clock.after(gap, resolve))
          yield { type: 'text', text: '.' }
        }
      },
    }
    const turn = createAgent({ model, clock, use: [timeout({ idle: 100 })] }).send('go')
    await clock.advance(1000)
    expect((await turn.settled).status).toBe(status)
    expect(clock.timers).toBe(0)
  })

  test.each([
    { title: 'a model that thinks for long, then writes', gaps: [500, 90, 90], status: 'completed' },
    { title: 'one that never begins', gaps: [1100], status: 'failed' },
    { title: 'one that begins, then stalls', gaps: [500, 200], status: 'failed' },
  ])('first: $title', async ({ gaps, status }) => {
    const clock = virtualClock()
    const model: Model = {
      id: 'slow',
      async *stream() {
        for (const gap of gaps) {
          await new Promise<void>(resolve => clock.after(gap, resolve))
          yield { type: 'text', text: '.' }
        }
      },
    }
    const turn = createAgent({ model, clock, use: [timeout({ idle: 100, first: 1000 })] }).send('go')
    await clock.advance(2000)
    expect((await turn.settled).status).toBe(status)
    expect(clock.timers).toBe(0)
  })

  test("idle holds for a hook's own model call, and inside a limit of another wrap", async () => {
    const clock = virtualClock()
    const stalled: Model = {
      id: 'stalled',
      async *stream() {
        yield { type: 'text', text: 'AC' }
        await new Promise<void>(resolve => clock.after(60_000, resolve))
      },
    }
    const failures: string[] = []
    const judge = middleware({
      name: 'judge',
      async beforeModel(ctx) {
        await ctx.generate(stalled, 'Good?').catch(error => failures.push(error.message))
      },
    })
    const use = [timeout({ idle: 100, name: 'outer' }), timeout({ model: 50_000 }), judge]
    const turn = createAgent({ model: scriptedModel(['done']), clock, use }).send('go')
    await clock.advance(1000)
    expect((await turn).text).toBe('done')
    expect(failures).toEqual(['The generate call was silent for 100 ms.'])
    expect(clock.timers).toBe(1)
  })

  test.each([
    { title: 'empty text', chunk: { type: 'text', text: '' } },
    { title: 'empty reasoning', chunk: { type: 'reasoning', text: '' } },
    { title: 'a warning', chunk: { type: 'warning', text: 'temperature is not supported' } },
  ] as const)('$title is no data', async ({ chunk }) => {
    const clock = virtualClock()
    const model: Model = {
      id: 'stalls',
      async *stream() {
        yield { type: 'text', text: 'Half' }
        for (;;) {
          await new Promise<void>(resolve => clock.after(50, resolve))
          yield chunk
        }
      },
    }
    const turn = createAgent({ model, clock, use: [timeout({ idle: 100 })] }).send('go')
    await clock.advance(200)
    expect(await turn.settled).toMatchObject({ status: 'failed', reason: 'The model call was silent for 100 ms.' })
    expect(clock.timers).toBe(0)
  })

  test("a hook's own model call that hangs is over after the time for the first data", async () => {
    const clock = virtualClock()
    const hangs: Model = {
      id: 'hangs',
      async *stream() {
        await new Promise(() => {})
        yield { type: 'text', text: '' }
      },
    }
    const asks = middleware({ name: 'asks', beforeTurn: async ctx => void (await ctx.generate(hangs, 'Well?')) })
    const use = [timeout({ idle: 100, first: 1000 }), asks]
    const turn = createAgent({ model: scriptedModel(['ok']), clock, use }).send('go')
    await clock.advance(1000)
    expect((await turn.settled).reason).toContain('The generate call was silent for 1000 ms.')
  })

  test.each([
    { title: 'a tool that does not listen', options: { tool: 100 }, statuses: ['timeout', 'timeout'] },
    { title: 'only the tools it is for', options: { tool: 100, tools: ['a'] }, statuses: ['timeout', 'ok'] },
    { title: 'models only', options: { model: 100 }, statuses: ['ok', 'ok'] },
  ])('$title', async ({ options, statuses }) => {
    const clock = virtualClock()
    const tools = ['a', 'b'].map(name =>
      tool({ name, run: () => new Promise<string>(resolve => clock.after(500, () => resolve('ok'))) }),
    )
    const model = scriptedModel([{ calls: [{ name: 'a' }, { name: 'b' }] }, 'done'])
    const turn = createAgent({ model, tools, clock, use: [timeout(options)] }).send('go')
    await clock.advance(1000)
    const { messages } = await turn
    const results = messages.flatMap(({ content }) => content).filter(part => part.type === 'result')
    expect(results.map(({ status }) => status)).toEqual(statuses)
  })
})
