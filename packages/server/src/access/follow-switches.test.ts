import { createAgent, middleware } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { channelHub, scriptedModel } from 'turnbuckle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { followSwitches } from './follow-switches.ts'
import { MiddlewareSwitches } from './middleware-switches.ts'

const agentWith = () =>
  createAgent({
    model: scriptedModel([]),
    use: [middleware({ name: 'careful', guard: true, beforeTool: () => undefined })],
  })

test('a process that serves nobody has middleware switched as the servers have it, for everyone and for one conversation', async () => {
  const hub = channelHub()
  const { driver } = memoryStore()
  const [here, there] = [hub.join(), hub.join()].map(channel => createStore(driver, { channel }))
  const switches = new MiddlewareSwitches(agentWith(), here)
  const one = { name: 'careful', by: 'ada', at: 1 }
  await switches.switch({ ...one, enabled: false })
  const worker = agentWith()
  if (!there) throw new Error('There are two.')
  onTestFinished(await followSwitches(worker, there))
  const state = () => {
    const [{ enabled, inConversations } = { enabled: undefined, inConversations: undefined }] = worker.middleware
    return [enabled, inConversations?.['c']]
  }
  expect(state()).toEqual([false, undefined])
  await switches.switch({ ...one, enabled: true, conversationId: 'c' })
  await expect.poll(state).toEqual([false, true])
  await switches.switch({ ...one, enabled: false, conversationId: 'c' })
  await expect.poll(state).toEqual([false, undefined])
  await switches.switch({ ...one, enabled: true })
  await expect.poll(state).toEqual([true, undefined])
})
