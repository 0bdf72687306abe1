import { createAgent, tool, type Usage } from 'turnbuckle'
import { type CostLimitOptions, costLimit, retry } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

const work = tool({ name: 'work', run: () => 'ok' })
const working = (usage: Usage) =>
  scriptedModel([({ messages }) => ({ calls: [{ name: 'work', args: { n: messages.length } }], usage })], {
    repeat: true,
  })
const priced = { inputTokens: 10, outputTokens: 10, cost: 0.25 }
const unpriced = { inputTokens: 100_000, outputTokens: 50_000 }

describe('costLimit', () => {
  test.each<{ title: string; limit: number | CostLimitOptions; usage: Usage; reason: string; steps: number[] }>([
    { title: 'trips at the limit', limit: 0.5, usage: priced, reason: 'cost of 0.5', steps: [2, 2] },
    {
      title: 'a conversation has one purse',
      limit: { max: 0.75, scope: 'conversation' },
      usage: priced,
      reason: 'cost of 0.75',
      steps: [3, 0],
    },
    {
      title: 'prices tokens where the model says no cost',
      limit: { max: 3, price: { input: 5, output: 10 } },
      usage: unpriced,
      reason: 'cost of 3',
      steps: [3],
    },
    {
      title: 'a cost that nobody knows ends the turn',
      limit: 1,
      usage: unpriced,
      reason: 'the cost is not known: give costLimit a price',
      steps: [1],
    },
  ])('$title', async ({ limit, usage, reason, steps }) => {
    const chat = createAgent({ model: working(usage), tools: [work], use: [costLimit(limit)] }).conversation()
    for (const count of steps)
      expect(await chat.send('go')).toMatchObject({ status: 'stopped', by: 'cost-limit', reason, steps: count })
  })

  test('an unknown cost can be ignored', async () => {
    const use = [costLimit({ max: 1, unknown: 'ignore' })]
    const result = await createAgent({ model: working(unpriced), tools: [work], maxSteps: 4, use }).send('go')
    expect(result).toMatchObject({ by: 'maxSteps', steps: 4 })
  })

  const price = { input: 1_000_000, output: 1_000_000 }
  test.each<{ limit: CostLimitOptions; reason: string; steps: number }>([
    { limit: { max: 50 }, reason: 'the cost is not known: give costLimit a price', steps: 1 },
    {
      limit: { max: 50, price },
      reason: 'cost of 50, in part estimated: the model does not say what it uses',
      steps: 2,
    },
    {
      limit: { max: 50, price, unknown: 'stop' },
      reason: 'the cost is not known: the model does not say what it uses',
      steps: 1,
    },
    { limit: { max: 50, price, unknown: 'ignore' }, reason: '4 steps', steps: 4 },
  ])('a model that does not even say its tokens: $limit.price $limit.unknown', async ({ limit, reason, steps }) => {
    const silent = scriptedModel([({ messages }) => ({ calls: [{ name: 'work', args: { n: messages.length } }] })], {
      repeat: true,
    })
    const result = await createAgent({ model: silent, tools: [work], maxSteps: 4, use: [costLimit(limit)] }).send('go')
    expect(result).toMatchObject({ status: 'stopped', reason, steps })
  })

  test('a refused request is not charged: a retry goes on', async () => {
    const refused = Object.assign(new Error('slow down'), { status: 429 })
    const model = scriptedModel([{ error: refused }, { calls: [{ name: 'work' }], usage: priced }, 'done'])
    const result = await createAgent({ model, tools: [work], use: [retry({ baseMs: 0 }), costLimit(1)] }).send('go')
    expect(result).toMatchObject({ status: 'completed', text: 'done' })
  })
})
