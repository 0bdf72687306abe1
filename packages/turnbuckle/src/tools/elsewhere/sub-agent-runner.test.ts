import { agentTool, createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { runSubAgentsBy } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

test('a runner that stops leaves the one that has come after it', async () => {
  const store = memoryStore()
  const sub = createAgent({ name: 'helper', model: scriptedModel([]), store })
  const model = scriptedModel([{ calls: [{ name: 'helper', args: { task: 'Go' } }] }, 'done'])
  const agent = createAgent({ model, store, tools: [agentTool(sub, { name: 'helper' })] })
  const ran: string[] = []
  const runner = (name: string) => ({ run: async () => void ran.push(name) })
  const stopFirst = runSubAgentsBy(agent, runner('first'))
  runSubAgentsBy(agent, runner('second'))
  stopFirst()
  await agent.send('Go')
  expect(ran).toEqual(['second'])
})
