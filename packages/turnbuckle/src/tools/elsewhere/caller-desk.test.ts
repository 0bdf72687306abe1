import { agentTool, createAgent, type Event } from 'turnbuckle'
import { createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { runSubAgentsBy, type SubAgentCall } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

type Store = ReturnType<typeof createStore>

/** A turn that calls a sub-agent whose worker says what `talk` does, and is then lost. */
async function hears(talk: (call: SubAgentCall) => Promise<void>, store: Store = memoryStore()) {
  const sub = createAgent({ name: 'helper', model: scriptedModel([]), store })
  const model = scriptedModel([{ calls: [{ name: 'helper', args: { task: 'Go' } }] }, 'done'])
  const agent = createAgent({ model, store, tools: [agentTool(sub, { name: 'helper' })] })
  const calls: SubAgentCall[] = []
  runSubAgentsBy(agent, {
    run(call) {
      calls.push(call)
      return talk(call)
    },
  })
  const heard: Event[] = []
  const conversation = agent.conversation('c')
  conversation.subscribe(event => heard.push(event))
  await conversation.send('Go').settled
  return { heard, calls }
}
const started = { callId: 'a', agent: 'helper', agentConversationId: 's', agentTurnId: 't', durable: true }
const passed = (text: string) => ({ type: 'agent.event', ...started, event: { type: 'told', text } })
const share = (n: number, ...events: object[]) => ({ type: 'share', by: '1', n, events, changes: [] })
const textsOf = (heard: readonly Event[]) =>
  heard.flatMap(event => (event.type === 'agent.event' ? [(event.event as unknown as { text: string }).text] : []))

test('a caller that has ended tells nothing more when another worker joins', async () => {
  const { heard, calls } = await hears(async ({ hear }) => {
    await hear({ type: 'join', by: '1' })
    await hear(share(1, { type: 'agent.started', ...started }))
  })
  await expect(calls[0]?.hear({ type: 'join', by: '2' })).rejects.toMatchObject({ code: 'caller.left' })
  expect(heard.at(-1)).toMatchObject({ type: 'turn.completed' })
})

test('news that comes twice counts once, also when newer news came in between', async () => {
  const { heard } = await hears(async ({ hear }) => {
    await hear({ type: 'join', by: '1' })
    for (const n of [1, 1, 2, 1]) await hear(share(n, passed(`${n}`)))
  })
  expect(textsOf(heard)).toEqual(['1', '2'])
})

test('a question of a caller that loses its log has no answer: whoever goes on with the caller asks it again', async () => {
  const { driver } = memoryStore()
  let isLost = false
  const losing = new Proxy(driver, {
    get(_, name: keyof Driver) {
      const own = driver[name]
      if (name === 'commit' && isLost) return () => Promise.reject(new Error('The store is down.'))
      return typeof own === 'function' ? own.bind(driver) : own
    },
  })
  const ask = { type: 'ask', by: '1', id: 'q', kind: 'permission', payload: {}, options: {} }
  let waiting: Promise<unknown> | undefined
  await hears(async ({ hear }) => {
    await hear({ type: 'join', by: '1' })
    expect(await hear(ask)).toEqual({ state: 'open' })
    waiting = hear(ask)
    waiting.catch(() => {})
    isLost = true
    await hear(share(1, { type: 'agent.started', ...started }))
    await new Promise(() => {})
  }, createStore(losing))
  await expect(waiting).rejects.toMatchObject({ code: 'caller.left' })
})
