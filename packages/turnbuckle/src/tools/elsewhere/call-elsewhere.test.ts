import { agentTool, createAgent, TurnbuckleError } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { runSubAgentsBy } from 'turnbuckle/tools'
import { expect, test, vi } from 'vitest'

test('a store that does not tell the end of a sub-agent is asked again by the clock of the agent', async () => {
  const [store, clock] = [memoryStore(), virtualClock()]
  const sub = createAgent({ name: 'helper', model: scriptedModel([]), store })
  const model = scriptedModel([{ calls: [{ name: 'helper', args: { task: 'Go' } }] }, 'done'])
  const agent = createAgent({ model, store, clock, tools: [agentTool(sub, { name: 'helper' })] })
  const open = vi.spyOn(sub, 'open')
  const down = new TurnbuckleError('store.down', 'The store is down.', { kind: 'store' })
  const isRun = vi.fn()
  runSubAgentsBy(agent, {
    async run() {
      open.mockClear().mockRejectedValueOnce(down)
      isRun()
    },
  })
  const turn = agent.send('Go')
  await expect.poll(() => isRun.mock.calls.length && open.mock.calls.length).toBe(1)
  await clock.advance(200)
  expect(open).toHaveBeenCalledTimes(2)
  expect((await turn).status).toBe('completed')
})

test('a call of a sub-agent does not fail because the store is down when it begins', async () => {
  const [store, clock] = [memoryStore(), virtualClock()]
  const sub = createAgent({ name: 'helper', model: scriptedModel(['three']), store })
  const model = scriptedModel([{ calls: [{ name: 'helper', args: { task: 'Go' } }] }, 'done'])
  const agent = createAgent({ model, store, clock, tools: [agentTool(sub, { name: 'helper' })] })
  const down = new TurnbuckleError('store.down', 'The store is down.', { kind: 'store' })
  const open = vi.spyOn(sub, 'open').mockRejectedValueOnce(down)
  const isRun = vi.fn()
  runSubAgentsBy(agent, { run: async () => isRun() })
  const turn = agent.send('Go')
  await expect.poll(() => open.mock.calls.length).toBe(1)
  await clock.advance(200)
  await turn
  expect(isRun).toHaveBeenCalledOnce()
})
