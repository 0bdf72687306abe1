import { again, createAgent, type Model, middleware, rewind, tool } from 'turnbuckle'
import { retry, type TokenLimitOptions, tokenLimit } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { describe, expect, test } from 'vitest'

const usage = { inputTokens: 30, outputTokens: 20 }
const work = tool({ name: 'work', run: () => 'ok' })
const working = () =>
  scriptedModel([({ messages }) => ({ calls: [{ name: 'work', args: { n: messages.length } }], usage })], {
    repeat: true,
  })

describe('tokenLimit', () => {
  test.each<{ title: string; limit: number | TokenLimitOptions; steps: number[] }>([
    { title: 'trips at the limit, not one past it', limit: 100, steps: [2, 2] },
    { title: 'between two calls it trips after the one that passes it', limit: 101, steps: [3, 3] },
    { title: 'counts input alone', limit: { max: 90, count: 'input' }, steps: [3, 3] },
    { title: 'counts output alone', limit: { max: 80, count: 'output' }, steps: [4, 4] },
    { title: 'a conversation has one purse', limit: { max: 150, scope: 'conversation' }, steps: [3, 0] },
  ])('$title', async ({ limit, steps }) => {
    const chat = createAgent({ model: working(), tools: [work], use: [tokenLimit(limit)] }).conversation()
    for (const count of steps) expect(await chat.send('go')).toMatchObject({ status: 'stopped', steps: count })
  })

  test('the calls of the reply that reached it do not run, and have results', async () => {
    const { messages } = await createAgent({ model: working(), tools: [work], use: [tokenLimit(50)] }).send('go')
    expect(messages.at(-1)?.content[0]).toMatchObject({ type: 'result', status: 'blocked' })
  })

  test('a turn that is done at the limit is completed', async () => {
    const result = await createAgent({ model: scriptedModel([{ text: 'hi', usage }]), use: [tokenLimit(50)] }).send(
      'go',
    )
    expect(result.status).toBe('completed')
  })

  test('a rewind and another branch refund nothing', async () => {
    const back = middleware({ name: 'back', afterDecide: () => rewind(0) })
    const limit = tokenLimit({ max: 200, scope: 'conversation' })
    const chat = createAgent({ model: working(), tools: [work], breaker: false, use: [back, limit] }).conversation()
    expect(await chat.send('go')).toMatchObject({ status: 'stopped', steps: 4 })
    expect(await chat.fork(null).send('go')).toMatchObject({ status: 'stopped', steps: 0 })
  })

  test('branches that run side by side share the purse', async () => {
    const limit = tokenLimit({ max: 200, scope: 'conversation' })
    const agent = createAgent({ model: working(), tools: [work], use: [limit] })
    const chat = agent.conversation()
    const both = await Promise.all([chat.send('a'), chat.fork(null).send('b')])
    expect(both.map(({ status }) => status)).toEqual(['stopped', 'stopped'])
    expect(both.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0)).toBeLessThanOrEqual(250)
  })

  test('each attempt of a retry counts', async () => {
    const failing = { chunks: [{ type: 'usage' as const, ...usage }], error: new Error('cut') }
    const model = scriptedModel([failing], { repeat: true })
    const use = [retry({ times: 9, baseMs: 0 }), tokenLimit(150)]
    const result = await createAgent({ model, use }).send('go').settled
    expect(result).toMatchObject({ status: 'stopped', reason: '150 tokens' })
    expect(model.prompts).toHaveLength(3)
  })

  test("hooks' own model calls count and are refused at the limit", async () => {
    const judge = scriptedModel([{ text: 'no', usage }], { repeat: true })
    const critic = middleware({
      name: 'critic',
      afterDecide: async ctx => again((await ctx.generate(judge, 'good?')).text),
    })
    const model = scriptedModel([{ text: 'draft', usage }], { repeat: true })
    const result = await createAgent({ model, use: [critic, tokenLimit(150)] }).send('go')
    expect(result).toMatchObject({ status: 'stopped', by: 'token-limit', steps: 2 })
    expect(judge.prompts).toHaveLength(1)
  })

  test('a sub-agent spends from the same purse', async () => {
    const child = createAgent({ model: working(), tools: [work], name: 'child' })
    const model = scriptedModel([{ calls: [{ name: 'ask', args: { task: 'x' } }], usage }, 'done'])
    const use = [tokenLimit(200)]
    const result = await createAgent({ model, tools: [agentTool(child, { name: 'ask' })], use }).send('go')
    expect(result).toMatchObject({ status: 'stopped', by: 'token-limit' })
    expect(result.usage.inputTokens + result.usage.outputTokens).toBe(200)
  })

  describe('a model that does not say what it uses', () => {
    const silent = () => scriptedModel([{ text: 'x'.repeat(400), calls: [{ name: 'work' }] }], { repeat: true })
    test.each<{ unknown?: TokenLimitOptions['unknown']; reason: string; steps: number; told: number }>([
      { reason: '300 tokens, in part estimated: the model does not say what it uses', steps: 2, told: 1 },
      { unknown: 'stop', reason: 'the model does not say how many tokens it uses', steps: 1, told: 0 },
      { unknown: 'ignore', reason: '5 steps', steps: 5, told: 0 },
    ])('$unknown: $reason', async ({ unknown, reason, steps, told }) => {
      const limit = tokenLimit({ max: 300, ...(unknown ? { unknown } : {}) })
      const use = { model: silent(), tools: [work], use: [limit], maxSteps: 5, breaker: false } as const
      const turn = createAgent(use).send('go')
      const events: string[] = []
      for await (const { type } of turn) events.push(type)
      expect(await turn).toMatchObject({ status: 'stopped', reason, steps })
      expect(events.filter(type => type === 'usage.estimated')).toHaveLength(told)
    })

    test('a hook’s own call is estimated as well', async () => {
      const judge = scriptedModel(['y'.repeat(2000)], { repeat: true })
      const hook = middleware({ name: 'hook', afterDecide: async ctx => again((await ctx.generate(judge, '?')).text) })
      const model = scriptedModel([{ text: 'draft', usage }], { repeat: true })
      const result = await createAgent({ model, use: [hook, tokenLimit(400)] }).send('go')
      expect(result).toMatchObject({ status: 'stopped', by: 'token-limit' })
      expect([model.prompts.length, judge.prompts.length]).toEqual([1, 1])
    })

    test('one that runs the loop itself is counted by what it says at the end', async () => {
      const model: Model = {
        id: 'managed',
        loop: 'intercept',
        async *stream(_prompt, { runTools }) {
          yield { type: 'text', text: 'z'.repeat(4000) }
          await runTools?.([{ id: '1', name: 'work', args: {} }])
          yield { type: 'text', text: 'ok' }
          yield { type: 'usage', ...usage }
        },
      }
      const result = await createAgent({ model, tools: [work], use: [tokenLimit(400)] }).send('go')
      expect(result).toMatchObject({ status: 'completed', usage })
    })
  })
})
