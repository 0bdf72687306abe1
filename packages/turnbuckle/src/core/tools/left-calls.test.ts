import { agentTool, createAgent, type Event, tool } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test('a caller that is interrupted by who found it parked ends its sub-agent too', async () => {
  const { driver } = memoryStore()
  const process = () => {
    const store = createStore(driver)
    const mark = tool({ name: 'mark', needsApproval: true, run: () => 'marked' })
    const model = scriptedModel([{ calls: [{ name: 'mark', id: 'm' }] }])
    const helper = createAgent({ name: 'helper', model, store, tools: [mark] })
    const calls = scriptedModel([{ calls: [{ name: 'helper', id: 'h', args: { task: 'Mark' } }] }])
    return createAgent({ model: calls, store, tools: [agentTool(helper, { name: 'helper' })] })
  }
  const turn = process().conversation('c').send('Go', { id: 't' })
  for await (const event of turn) if (event.type === 'request.opened') break
  turn.park()
  await turn.settled
  const resumed = process().resume('c', 't')
  resumed?.interrupt('enough')
  expect(await resumed?.settled).toMatchObject({ status: 'interrupted' })
  const last = async (): Promise<Event | undefined> => (await createStore(driver).events('t.h')).at(-1)
  await expect.poll(last).toMatchObject({ type: 'turn.interrupted', reason: 'enough' })
})
