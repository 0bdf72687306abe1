import { agentTool, createAgent } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { runSubAgentsBy, workForCaller } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

type Driver = ReturnType<typeof memoryStore>['driver']

const helps: ScriptedStep = { calls: [{ name: 'helper', args: { task: 'Echo' } }] }
const plain = (data: unknown): unknown => JSON.parse(JSON.stringify(data))

/** An agent with a sub-agent, as a process on this driver has them. */
const make = (own: Driver, model: readonly ScriptedStep[], helper: readonly ScriptedStep[]) => {
  const store = createStore(own)
  const sub = createAgent({ name: 'helper', model: scriptedModel([...helper]), store })
  return createAgent({ model: scriptedModel([...model]), store, tools: [agentTool(sub, { name: 'helper' })] })
}

test('a sub-agent whose log could not take its beginning was not begun, for its caller', async () => {
  const { driver } = memoryStore()
  const refusing = new Proxy(driver, {
    get(_, name: keyof Driver) {
      const own = driver[name]
      if (name !== 'commit') return typeof own === 'function' ? own.bind(driver) : own
      return (given: Parameters<Driver['commit']>[0]) => {
        if (given.records.length) throw new Error('The store is down.')
        return driver.commit(given)
      }
    },
  })
  const caller = make(driver, [helps, 'done'], [])
  const told: string[] = []
  runSubAgentsBy(caller, {
    async run({ conversationId, caller: of, hear }) {
      const tell = async (message: unknown) => {
        told.push(JSON.stringify(message))
        return { value: plain(await hear(plain(message))) }
      }
      const work = await workForCaller({
        agent: make(refusing, [], ['three']),
        conversationId,
        caller: of,
        by: '1',
        tell,
      })
      if (!('state' in work)) await work.done
    },
  })
  await caller.send('Go')
  expect(told.length).toBeGreaterThan(0)
  expect(told.filter(message => message.includes('agent.started'))).toEqual([])
})
