import { createAgent, middleware, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const two = [
  {
    calls: [
      { name: 'echo', args: { n: 1 } },
      { name: 'echo', args: { n: 2 } },
    ],
  },
  'done',
]
const giveN = tool({ name: 'echo', run: ({ n }) => n })

test.each([
  middleware({ name: 'no', beforeTool: () => stop('no') }),
  middleware({ name: 'no', wrapTool: () => stop('no') }),
])('stop around a tool leaves each call one blocked result', async no => {
  const agent = createAgent({ model: scriptedModel(two), tools: [giveN], use: [no] })
  const result = await agent.send('go')
  expect(result).toMatchObject({ status: 'stopped', reason: 'no', by: 'no' })
  const statuses = result.messages.flatMap(m => m.content).filter(part => part.type === 'result')
  expect(statuses.map(({ status }) => status)).toEqual(['blocked', 'blocked'])
})
