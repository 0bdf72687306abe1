import { agentTool, createAgent, type NewMessage } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { runSubAgentsBy, workForCaller } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

const helps: ScriptedStep = { calls: [{ name: 'helper', args: { task: 'Echo' } }] }
const plain = (data: unknown): unknown => JSON.parse(JSON.stringify(data))
const results = (messages: readonly { content: readonly unknown[] }[]) =>
  messages.flatMap(({ content }) => content).filter(part => (part as { type: string }).type === 'result')

test.each([
  { what: 'of many characters', prompt: (): string | NewMessage => 'x'.repeat(300_000) },
  {
    what: 'with a file',
    prompt: (): string | NewMessage => ({
      role: 'user',
      content: [{ type: 'file', mediaType: 'text/plain', data: new Uint8Array([104, 105]) }],
    }),
  },
])('a task $what goes by way of the store, and nothing of it stays there', async ({ prompt }) => {
  const { driver } = memoryStore()
  const told: string[] = []
  const make = (model: readonly ScriptedStep[], helper: readonly ScriptedStep[]) => {
    const store = createStore(driver)
    const sub = createAgent({ name: 'helper', model: scriptedModel([...helper]), store })
    const tools = [agentTool(sub, { name: 'helper', prompt })]
    return createAgent({ model: scriptedModel([...model]), store, tools })
  }
  const caller = make([helps, 'done'], [])
  const other = make([], ['three'])
  let worked = ''
  runSubAgentsBy(caller, {
    async run(call) {
      worked = call.conversationId
      const tell = async (message: unknown) => {
        const value = plain(await call.hear(plain(message)))
        told.push(JSON.stringify(value))
        return { value }
      }
      const work = await workForCaller({ agent: other, conversationId: worked, caller: call.caller, by: '1', tell })
      if (!('state' in work)) await work.done
    },
  })
  expect(results((await caller.send('Go')).messages)).toMatchObject([{ status: 'ok', value: 'three' }])
  const [asked] = await createStore(driver).nodes(worked)
  const sent = prompt()
  expect(asked?.message.content).toEqual(
    typeof sent === 'string'
      ? [{ type: 'text', text: sent }]
      : [{ type: 'file', mediaType: 'text/plain', data: 'aGk=' }],
  )
  expect(Math.max(...told.map(({ length }) => length))).toBeLessThan(10_000)
  expect(await createStore(driver).entries('tools.tasks')).toEqual([])
})

test('a long task that is no longer in the store is told as gone, with its reason', async () => {
  const { driver } = memoryStore()
  const store = createStore(driver)
  const sub = createAgent({ name: 'helper', model: scriptedModel([]), store })
  const tools = [agentTool(sub, { name: 'helper', prompt: () => 'x'.repeat(300_000) })]
  const caller = createAgent({ model: scriptedModel([helps, 'done']), store, tools })
  const stands: unknown[] = []
  runSubAgentsBy(caller, {
    async run({ conversationId, caller: by, hear }) {
      const tell = async (message: unknown) => ({ value: plain(await hear(plain(message))) })
      const kept = await store.entries('tools.tasks')
      // One that another keeper of the same task forgets stays.
      await store.set('tools.tasks', conversationId, undefined)
      expect(await store.entries('tools.tasks')).toEqual(kept)
      for (const [key] of kept) await store.set('tools.tasks', key, undefined)
      const stand = await workForCaller({ agent: caller, conversationId, caller: by, by: '1', tell })
      stands.push(stand)
      throw new Error('nobody works on it')
    },
  })
  await caller.send('Go')
  expect(stands).toEqual([{ state: 'gone', reason: 'The task of the sub-agent is no longer in the store.' }])
})
