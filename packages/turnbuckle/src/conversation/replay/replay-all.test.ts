import { createAgent, middleware, stop, tool } from 'turnbuckle'
import { pii } from 'turnbuckle/middleware'
import { type ConversationStore, memoryStore, type ReplayedTurn, replay } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

async function all(store: ConversationStore, use: Parameters<typeof replay>[2]['use'] = []): Promise<ReplayedTurn[]> {
  const turns: ReplayedTurn[] = []
  for await (const turn of replay(store, 'all', { use })) turns.push(turn)
  return turns
}

/** The list is in the order of the last change, by the store's clock. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() === now) await new Promise(resolve => setImmediate(resolve))
}

/** A store with two turns in each of `count` conversations, the last the newest. */
async function filled(count: number): Promise<ConversationStore> {
  const store = memoryStore()
  const agent = createAgent({ model: scriptedModel(['Hi.'], { repeat: true }), store })
  for (let i = 0; i < count; i++) {
    await nextMillisecond()
    const chat = agent.conversation(`c${i}`)
    chat.title = `Talk ${i}`
    await chat.send(`Hello ${i}.`)
    await chat.send(`Bye ${i}.`)
  }
  return store
}

test('every turn of every conversation comes once, page by page, with its title', async () => {
  const store = await filled(60)
  const asked: number[] = []
  const list = store.list
  store.list = where => {
    asked.push(where?.limit ?? 0)
    return list(where)
  }
  const turns = await all(store)
  expect(turns).toHaveLength(120)
  expect(new Set(turns.map(({ turnId }) => turnId)).size).toBe(120)
  expect(turns.every(({ outcome }) => outcome === 'same')).toBe(true)
  expect(turns[0]).toMatchObject({ conversationId: 'c59', title: 'Talk 59', outcome: 'same' })
  expect(asked).toEqual([50, 50])
})

test('a conversation gives its own turns only', async () => {
  const store = await filled(3)
  const agent = createAgent({ model: scriptedModel([]), store })
  const ids: string[] = []
  for await (const { conversationId } of replay(agent.conversation('c1'), 'all', { use: [] })) ids.push(conversationId)
  expect(ids).toEqual(['c1', 'c1'])
})

test('only turns that the new middleware would have changed are different', async () => {
  const store = await filled(2)
  const polite = middleware({
    name: 'polite',
    beforeTurn: ({ message }) => (JSON.stringify(message).includes('Bye 1') ? stop('stay') : undefined),
  })
  const turns = await all(store, [polite])
  expect(turns.filter(({ outcome }) => outcome !== 'same')).toMatchObject([
    { conversationId: 'c1', outcome: 'different', differences: [{ by: 'polite', reason: 'stay' }] },
  ])
})

test('a turn that cannot be read is told with its conversation, and the others go on', async () => {
  const store = await filled(3)
  const { driver } = store
  const records = driver.records
  driver.records = (conversation, where) => {
    if (conversation === 'c1') throw new Error('torn page')
    return records.call(driver, conversation, where)
  }
  const turns = await all(store)
  expect(turns.map(({ outcome }) => outcome)).toEqual(['same', 'same', 'failed', 'failed', 'same', 'same'])
  expect(turns[2]).toMatchObject({ conversationId: 'c1', error: new Error('torn page') })
})

test('a conversation whose turns cannot be listed is one failure', async () => {
  const store = await filled(2)
  const turns = store.turns
  store.turns = where => {
    if (where.conversation === 'c1') throw new Error('torn page')
    return turns(where)
  }
  expect((await all(store)).map(({ conversationId, outcome }) => [conversationId, outcome])).toEqual([
    ['c1', 'failed'],
    ['c0', 'same'],
    ['c0', 'same'],
  ])
})

test('a turn that was refused before it was kept, or has not ended, is left out and says why', async () => {
  const store = memoryStore()
  const agent = createAgent({ model: scriptedModel([]), use: pii({ style: 'block' }), store })
  await agent.conversation('refused').send('I am joe@example.com')
  const asks = middleware({ name: 'asks', beforeModel: async ctx => void (await ctx.ask('plan', {})) })
  const waiting = createAgent({ model: scriptedModel([]), use: [asks], store })
    .conversation('waiting')
    .send('Go.')
  for await (const { type } of waiting) if (type === 'request.opened') break
  const turns = await all(store)
  expect(turns).toMatchObject([
    { conversationId: 'waiting', outcome: 'skipped', reason: expect.stringContaining('has not ended') },
    { conversationId: 'refused', outcome: 'skipped', reason: expect.stringContaining('was refused') },
  ])
  waiting.interrupt()
  await waiting.settled
})

test("a sub-agent's conversation is left out, and its decisions are not the caller's", async () => {
  const store = memoryStore()
  const strict = middleware({ name: 'strict', beforeStep: () => stop('no') })
  const helper = createAgent({ model: scriptedModel([]), store, use: [strict] })
  const script = [{ calls: [{ name: 'helper', args: { task: 'Help.' } }] }, 'Done.']
  const tools = [agentTool(helper, { name: 'helper' }), tool({ name: 'other', run: () => 1 })]
  await createAgent({ model: scriptedModel(script), tools, store })
    .conversation('caller')
    .send('Go.')
  expect(await all(store)).toMatchObject([{ conversationId: 'caller', outcome: 'same' }])
})
