import { agentTool, createAgent } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { runSubAgentsBy, workForCaller } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

type Driver = ReturnType<typeof memoryStore>['driver']

const helps: ScriptedStep = { calls: [{ name: 'helper', args: { task: 'Echo' } }] }
const plain = (data: unknown): unknown => JSON.parse(JSON.stringify(data))
const results = (messages: readonly { content: readonly unknown[] }[]) =>
  messages.flatMap(({ content }) => content).filter(part => (part as { type: string }).type === 'result')

/** The driver of a process that reads the store at once, and writes to it when `until` has resolved. */
const slowToWrite = (driver: Driver, until: Promise<unknown>): Driver =>
  new Proxy(driver, {
    get(_, name: keyof Driver) {
      const own = driver[name]
      if (name !== 'commit') return typeof own === 'function' ? own.bind(driver) : own
      return (given: Parameters<Driver['commit']>[0]) => until.then(() => driver.commit(given))
    },
  })

/** An agent with a sub-agent, as a process on this driver has them. */
const make = (own: Driver, model: readonly ScriptedStep[], helper: readonly ScriptedStep[]) => {
  const store = createStore(own)
  const sub = createAgent({ name: 'helper', model: scriptedModel([...helper]), store })
  return createAgent({ model: scriptedModel([...model]), store, tools: [agentTool(sub, { name: 'helper' })] })
}

test('a process that read the log before another has begun the sub-agent begins no second turn', async () => {
  const { driver } = memoryStore()
  let go: () => void = () => {}
  const late = new Promise<void>(resolve => {
    go = resolve
  })
  const caller = make(driver, [helps, 'done'], [])
  const ends: unknown[] = []
  runSubAgentsBy(caller, {
    async run(call) {
      const tell = async (message: unknown) => ({ value: plain(await call.hear(plain(message))) })
      const work = { conversationId: call.conversationId, caller: call.caller, tell }
      const stale = await workForCaller({ ...work, agent: make(slowToWrite(driver, late), [], ['twice']), by: 'one' })
      const other = await workForCaller({ ...work, agent: make(driver, [], ['three']), by: 'two' })
      if (!('state' in other)) await other.done
      go()
      if (!('state' in stale)) ends.push(await Promise.race([stale.turn.settled, stale.lost]))
    },
  })
  const { messages } = await caller.send('Go')
  expect(results(messages)).toMatchObject([{ status: 'ok', value: 'three' }])
  expect(ends).toMatchObject([{ status: 'failed', error: { code: 'turn.known' } }])
  const begun = await createStore(driver).turns({})
  expect(begun.map(({ status }) => status)).toEqual(['completed', 'completed'])
})
