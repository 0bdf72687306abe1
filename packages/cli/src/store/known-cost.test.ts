import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { knownCost } from './known-cost.ts'

const used = { inputTokens: 10, outputTokens: 5 }

test.each([
  { what: 'two priced replies', costs: [0.5, 0.25], known: { cost: 0.75, isCostPartial: false } },
  {
    what: 'a reply whose price is not known',
    costs: [0.5, undefined, 0.25],
    known: { cost: 0.75, isCostPartial: true },
  },
  { what: 'a model without a price', costs: [undefined], known: { cost: 0, isCostPartial: true } },
])('what is known of the cost of $what', async ({ costs, known }) => {
  const store = memoryStore()
  const replies = costs.map(cost => ({ text: 'Yes.', usage: cost === undefined ? used : { ...used, cost } }))
  const conversation = createAgent({ model: scriptedModel(replies), store }).conversation()
  for (const _ of costs) await conversation.send('Go on.')
  await conversation.kept()
  const [row] = await store.list({})
  expect(row && (await knownCost(store, row))).toEqual(known)
})
