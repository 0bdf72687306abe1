import { createAgent, middleware, rewind, stop } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { TurnSpending } from './turn-spending.ts'

test('a rewind does not refund a budget', async () => {
  const budget = middleware({
    name: 'budget',
    state: { spent: 0 },
    scope: 'conversation',
    beforeModel(ctx) {
      if (ctx.state.spent >= 3) return stop('budget')
      ctx.update(({ spent }) => ({ spent: spent + 1 }))
    },
  })
  const loops = middleware({ name: 'loops', afterDecide: () => rewind(0) })
  const usage = { inputTokens: 10, outputTokens: 1 }
  const model = scriptedModel([{ text: 'Hm', usage }], { repeat: true })
  const agent = createAgent({ model, use: [budget, loops] })
  const chat = agent.conversation()
  const result = await chat.send('Go')
  expect(result).toMatchObject({ status: 'stopped', reason: 'budget', by: 'budget' })
  expect(result.usage).toMatchObject({ inputTokens: 30, outputTokens: 3 })
  expect(model.prompts).toHaveLength(3)
  // Nor does another branch of the conversation.
  expect(await chat.fork(chat.tree[0]?.id).send('Once more')).toMatchObject({ status: 'stopped', steps: 1 })
  expect(model.prompts).toHaveLength(3)
})

test('a turn that begins has used nothing, at a known cost', () => {
  const spent = new TurnSpending()
  expect([spent.usage, spent.modelStages, spent.unbilled]).toEqual([{ inputTokens: 0, outputTokens: 0, cost: 0 }, 0, 0])
})

test('steps only grow, also where an earlier count is restored', () => {
  const spent = new TurnSpending()
  spent.countModelStage()
  spent.countModelStage()
  spent.restoreModelStages(1)
  expect(spent.modelStages).toBe(2)
  spent.restoreModelStages(5)
  expect(spent.modelStages).toBe(5)
})

test('calls that have not said what they used are counted until they do', () => {
  const spent = new TurnSpending()
  spent.bill(2)
  spent.bill(-1)
  expect(spent.unbilled).toBe(1)
})
