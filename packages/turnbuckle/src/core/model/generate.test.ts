import { again, createAgent, middleware, rewind, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { texts } from '../../../test/support/looking.ts'

const broken = () => scriptedModel([{ error: new Error('judge is down') }])

describe("a hook's own model call that fails", () => {
  test('rejects with the error, and the turn goes on when the hook catches it', async () => {
    let seen: unknown
    const judge = middleware({
      name: 'judge',
      async afterModel(ctx) {
        seen = await ctx.generate(broken(), 'Good?').catch(error => error)
      },
    })
    const result = await createAgent({ model: scriptedModel(['hello']), use: [judge] }).send('hi')
    expect(result.status).toBe('completed')
    expect(String(seen)).toContain('judge is down')
    expect(seen).toEqual(new Error('judge is down'))
  })

  test.each([
    { onFailure: 'open' as const, status: 'completed' },
    { onFailure: 'closed' as const, status: 'failed' },
  ])('uncaught, counts as the failure mode says: $onFailure', async ({ onFailure, status }) => {
    const judge = middleware({
      name: 'judge',
      onFailure,
      async beforeModel(ctx) {
        await ctx.generate(broken(), 'Good?')
      },
    })
    const result = await createAgent({ model: scriptedModel(['hello']), use: [judge] }).send('hi').settled
    expect(result.status).toBe(status)
  })
})

test('that asks for another one for ever meets the depth limit', async () => {
  let asked = 0
  const judge = scriptedModel(['Good.'], { repeat: true })
  const deep = middleware({
    name: 'deep',
    async beforeModel(ctx) {
      await ctx.generate(judge, 'Good?')
    },
    async beforeGenerate(ctx) {
      if (++asked < 100) await ctx.generate(judge, 'Sure?')
    },
  })
  const agent = createAgent({ model: scriptedModel(['hello']), use: [deep], maxDepth: 4 })
  const { status, reason } = await agent.send('hi').settled
  expect(status).toBe('failed')
  expect(reason).toContain('4 is the limit')
  expect(asked).toBe(4)
})

test('asks nobody when the turn is over', async () => {
  let late: (() => Promise<unknown>) | undefined
  const judge = scriptedModel(['Good.'])
  const keeps = middleware({
    name: 'keeps',
    beforeModel(ctx) {
      late = () => ctx.generate(judge, 'Good?')
    },
  })
  await createAgent({ model: scriptedModel(['hello']), use: [keeps] }).send('hi')
  await expect(late?.()).rejects.toMatchObject({ code: 'turn.interrupted' })
  expect(judge.prompts).toEqual([])
})

test("a hook may catch its own model call's error", async () => {
  const seen: unknown[] = []
  const use = [
    middleware({
      name: 'judge',
      beforeModel: async ctx => {
        await ctx.generate(scriptedModel([{ error: new Error('down') }]), 'x').catch(error => seen.push(error.message))
      },
    }),
  ]
  const { status } = await createAgent({ model: scriptedModel(['hi']), use }).send('go')
  expect([status, seen]).toEqual(['completed', ['down']])
})

test("a limit on a hook's model call stops the turn, also from a before hook", async () => {
  const use = [
    middleware({ name: 'limit', beforeGenerate: () => stop('limit') }),
    middleware({ name: 'summary', beforeModel: async ctx => void (await ctx.generate(scriptedModel(['s']), 'x')) }),
  ]
  const model = scriptedModel(['hi'])
  const result = await createAgent({ model, use }).send('go').settled
  expect(result).toMatchObject({ status: 'stopped', reason: 'limit', by: 'limit' })
  expect(model.prompts).toHaveLength(0)
})

test('generate is counted, not shown, and not in the history', async () => {
  const usage = { inputTokens: 5, outputTokens: 2 }
  const judge = scriptedModel([{ text: 'Too short.', usage }])
  const critic = middleware({
    name: 'critic',
    async afterDecide(ctx) {
      if (ctx.step > 0) return
      const { text, usage: used } = await ctx.generate(judge, 'Good?')
      expect(used).toMatchObject(usage)
      return again(text)
    },
  })
  const model = scriptedModel([
    { text: 'Hm', usage },
    { text: 'A long answer.', usage },
  ])
  const chat = createAgent({ model, use: [critic] }).conversation()
  const turn = chat.send('Go')
  const shown: string[] = []
  for await (const text of turn.text) shown.push(text)
  expect(shown.join('')).toBe('Hm\n\nA long answer.')
  expect((await turn).usage).toMatchObject({ inputTokens: 15, outputTokens: 6 })
  expect(texts(chat.messages)).toEqual(['Go', 'Hm', 'Too short.', 'A long answer.'])
  expect(judge.prompts[0]?.tools).toEqual([])
})

test("a rewind stands although a hook's own model call is refused because of it", async () => {
  let looked = 0
  const back = middleware({
    name: 'back',
    afterDecide: () => (looked++ ? undefined : rewind(0, 'Once more.')),
  })
  const notes = middleware({
    name: 'notes',
    async wrapStep(ctx, next) {
      const result = await next()
      await ctx.generate(scriptedModel(['Noted.']), 'What was done?')
      return result
    },
  })
  const turn = createAgent({ model: scriptedModel(['One.', 'Two.']), use: [notes, back] }).send('hi')
  expect(await turn).toMatchObject({ status: 'completed', text: 'Two.' })
  expect(turn.explain()).toMatchObject([{ directive: 'rewind', by: 'back', won: true }])
})

test("a hook that the guard of another call has stopped does not take the guard's place", async () => {
  let judging = () => {}
  const judges = new Promise<void>(resolve => {
    judging = resolve
  })
  let stopping = () => {}
  const stops = new Promise<void>(resolve => {
    stopping = resolve
  })
  const judged = middleware({
    name: 'judged',
    async wrapTool(ctx, next) {
      const result = await next()
      if (ctx.call.id !== 'first') return result
      judging()
      await stops
      await ctx.generate(scriptedModel(['Fine.']), 'Good?')
      return result
    },
  })
  const guard = middleware({
    name: 'guard',
    guard: true,
    async wrapTool(ctx, next) {
      if (ctx.call.id === 'first') return next()
      await judges
      return stop('enough')
    },
    afterTool: ctx => (ctx.call.id === 'second' ? stopping() : undefined),
  })
  const calls = [
    { id: 'first', name: 'echo' },
    { id: 'second', name: 'echo' },
  ]
  const echo = tool({ name: 'echo', run: () => 'ok' })
  const turn = createAgent({ model: scriptedModel([{ calls }]), tools: [echo], use: [judged, guard] }).send('hi')
  expect(await turn).toMatchObject({ status: 'stopped', by: 'guard', reason: 'enough' })
  expect(turn.explain()).toMatchObject([{ directive: 'stop', by: 'guard', won: true }])
})
