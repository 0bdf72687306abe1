import { createAgent, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import purse from './hook.ts'

const usage = { inputTokens: 90_000, outputTokens: 500 }
const look = (page: number) => ({
  text: `Nothing so far. Page ${page}.`,
  calls: [{ name: 'search', args: { page } }],
  usage,
})
const model = scriptedModel([look(1), look(2), look(3), { text: 'Found it on page 3: the Mary Ann, 1887.', usage }])
const search = tool<{ page: number }>({
  name: 'search',
  run: ({ page }) => (page === 3 ? 'Mary Ann, built 1887' : 'no hits'),
})

export const message = 'Search the harbour archive for the oldest boat.'
export default createAgent({ model, tools: [search], use: [purse] })
