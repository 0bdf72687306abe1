import { createAgent, middleware, stop } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const hi = () => scriptedModel(['Hi'], { repeat: true })

test('send of an agent takes the options of a conversation, and refuses middleware with a misspelled hook', async () => {
  const agent = createAgent({ model: hi() })
  const no = middleware({ name: 'no', guard: true, beforeModel: () => stop('not now') })
  expect(await agent.send('Hi', { use: [no] })).toMatchObject({ status: 'stopped', by: 'no' })
  const misspelled = middleware({ name: 'a', beforeTol: () => {} } as never)
  expect(() => agent.send('Hi', { use: [misspelled] })).toThrow('Did you mean "beforeTool"?')
})

test('the agent of a hook counts the turns around it', async () => {
  let sent = 0
  const nests = middleware({
    name: 'nests',
    async beforeModel({ agent }) {
      // Past a wait nothing but the handle knows how deep it is.
      await Promise.resolve()
      sent++
      await agent.send('Deeper')
    },
  })
  const agent = createAgent({ model: hi(), use: [nests], maxDepth: 2 })
  await expect(agent.send('Go')).rejects.toThrow('2 is the limit')
  expect(sent).toBe(3)
})

test('says whether a store keeps its conversations', () => {
  expect(createAgent({ model: hi() }).durable).toBe(false)
  expect(createAgent({ model: hi(), store: memoryStore() }).durable).toBe(true)
})
