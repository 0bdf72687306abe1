// An agent as a tool of another: its own history, a budget, and the guards of whoever called it.
import { agentTool, block, createAgent, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'

const search = tool({ name: 'search', run: ({ for: what }) => `Three papers on ${what}.` })
const publish = tool({ name: 'publish', run: () => 'published' })

const researcher = createAgent({
  name: 'researcher',
  model: scriptedModel([
    { calls: [{ name: 'search', args: { for: 'knots' } }, { name: 'publish' }] },
    'There are three papers on knots.',
  ]),
  tools: [search, publish],
})
const agent = createAgent({
  model: scriptedModel([{ calls: [{ name: 'research', args: { task: 'Find papers on knots.' } }] }, 'I found three.']),
  tools: [agentTool(researcher, { name: 'research', maxSteps: 5, budget: { tokens: 10_000 } })],
  use: [
    middleware({
      name: 'no-publishing',
      guard: true,
      tools: ['publish'],
      beforeTool: () => block('Nothing is published.'),
    }),
    middleware({
      name: 'watch',
      guard: true,
      afterTool(ctx) {
        console.log(`${ctx.call.name}: ${ctx.result.value}`)
      },
    }),
  ],
})

const { text } = await agent.send('What is known about knots?')
console.log(text)
