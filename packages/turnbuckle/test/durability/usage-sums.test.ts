import { type Conversation, type CreateAgentOptions, createAgent, middleware, tool } from 'turnbuckle'
import { retry } from 'turnbuckle/middleware'
import { createStore, type Driver, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { mortal } from './mortal-driver.ts'

const used = (inputTokens: number, cost = inputTokens / 100) => ({ inputTokens, outputTokens: 1, cost })
const calls = { calls: [{ name: 'note', args: { task: 'Note.' } }], usage: used(100) }
const replies = [calls, { text: 'Done.', usage: used(200) }]
const note = tool({ name: 'note', idempotent: true, run: () => 'noted' })

const judge = () => scriptedModel([{ text: 'Good.', usage: used(10) }], { repeat: true })
const judged = () =>
  middleware({ name: 'judged', afterModel: async ctx => void (await ctx.generate(judge(), 'Is it good?')) })
const helper = () =>
  agentTool(createAgent({ model: scriptedModel([{ text: 'noted', usage: used(7) }]) }), { name: 'note' })
const busy = {
  error: Object.assign(new Error('cut'), { kind: 'model' }),
  chunks: [{ type: 'usage', ...used(50) }],
} as const

const makers: Record<string, () => Driver> = {
  memory: () => memoryStore().driver,
  SQLite: () => sqliteStore(':memory:').driver,
}

const spenders: readonly {
  readonly name: string
  readonly spent: number
  readonly options: () => Partial<CreateAgentOptions>
}[] = [
  { name: 'nothing but its messages', spent: 300, options: () => ({}) },
  { name: 'a hook that asks a model', spent: 320, options: () => ({ use: [judged()] }) },
  {
    name: 'an attempt that failed',
    spent: 350,
    options: () => ({ use: [retry({ times: 1, baseMs: 0 })], model: scriptedModel([busy, ...replies]) }),
  },
  { name: 'a sub-agent', spent: 307, options: () => ({ tools: [helper()] }) },
]

test.each(Object.entries(makers).flatMap(([store, make]) => spenders.map(spender => ({ ...spender, store, make }))))(
  'in $store a conversation has used what its turns have, with $name',
  async ({ make, options, spent }) => {
    const store = createStore(make())
    const agent = createAgent({ model: scriptedModel(replies, { repeat: true }), tools: [note], store, ...options() })
    const { usage } = await agent.conversation('c').send('Note.')
    expect(usage.inputTokens).toBe(spent)
    expect(roundedUsage(await store.conversation('c'))).toEqual(roundedUsage({ usage }))
  },
)

test.each(Object.keys(makers))('in %s it is the same when a process has died in the middle of the turn', async name => {
  const driver = makers[name]?.() as Driver
  const first = mortal(driver)
  const options = { tools: [note], use: [judged()] }
  const chat: Conversation = createAgent({
    ...options,
    model: scriptedModel(replies),
    store: createStore(first.driver),
  }).conversation('c')
  for await (const { type } of chat.send('Note.')) if (type === 'tool.completed') break
  await first.end('c')
  const store = createStore(driver)
  const resumed = createAgent({ ...options, model: scriptedModel(replies.slice(1)), store }).resume('c')
  const { usage } = (await resumed) ?? {}
  expect(usage?.inputTokens).toBe(320)
  expect((await store.conversation('c'))?.usage).toMatchObject({ inputTokens: 320, outputTokens: 4 })
})

test('a turn whose cost is not known leaves the sum without one', async () => {
  const store = memoryStore()
  const silent = scriptedModel(['Good.'], { repeat: true })
  const asks = middleware({ name: 'asks', afterModel: async ctx => void (await ctx.generate(silent, 'Good?')) })
  const agent = createAgent({ model: scriptedModel(replies), tools: [note], use: [asks], store })
  const { usage } = await agent.conversation('c').send('Note.')
  expect(usage.cost).toBe(undefined)
  expect(store.conversation('c')).toMatchObject({ usage: { inputTokens: 300, outputTokens: 2 } })
  expect((await store.conversation('c'))?.usage.cost).toBe(undefined)
})

/** Sums of fractions in another order. */
const roundedUsage = (of: { readonly usage: { readonly cost?: number | undefined } } | undefined) => ({
  ...of?.usage,
  cost: of?.usage.cost?.toFixed(6),
})
