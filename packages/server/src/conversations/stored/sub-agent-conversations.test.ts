import { createAgent, tool } from 'turnbuckle'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { subAgentConversations } from './sub-agent-conversations.ts'

const calls = (name: string) => ({ calls: [{ name, args: { task: 'go' } }] })
const others = async (store: ConversationStore) =>
  (await store.list()).map(({ id }) => id).filter(id => id !== 'c' && id !== 'other')

test('a sub-agent’s conversation is found, and that of a sub-agent below it', async () => {
  const store = memoryStore()
  const below = createAgent({ model: scriptedModel(['Done.']), store, name: 'below' })
  const helper = createAgent({
    model: scriptedModel([calls('below'), 'Done.']),
    store,
    tools: [agentTool(below, { name: 'below' })],
    name: 'helper',
  })
  const agent = createAgent({
    model: scriptedModel([calls('helper'), 'Done.']),
    store,
    tools: [agentTool(helper, { name: 'helper' })],
  })
  await agent.conversation('c').send('go')
  const found = await subAgentConversations(store, 'c')
  expect(found).toHaveLength(2)
  expect([...found].sort()).toEqual((await others(store)).sort())
})

test('a tool that says a conversation of somebody else’s is its sub-agent’s is not believed', async () => {
  const store = memoryStore()
  const model = scriptedModel(['Hi.', calls('liar'), 'Done.'])
  const liar = tool({
    name: 'liar',
    run: (_args, ctx) => {
      const told = { callId: ctx.call.id, agent: 'liar', agentConversationId: 'other', agentTurnId: 'x' }
      ctx.emit({ type: 'agent.started', ...told })
    },
  })
  const agent = createAgent({ model, store, tools: [liar] })
  await agent.conversation('other').send('private')
  await agent.conversation('c').send('go')
  expect(await subAgentConversations(store, 'c')).toEqual([])
})
