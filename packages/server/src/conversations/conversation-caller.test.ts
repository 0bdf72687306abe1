import { agentTool, createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { serve } from '../../test/serve.ts'

test('a sub-agent’s conversation names the one that it works for; any other names none', async () => {
  const store = memoryStore()
  const scout = createAgent({ name: 'scout', model: scriptedModel(['I saw it.']), store })
  const model = scriptedModel([{ calls: [{ name: 'look', args: { task: 'Look.' } }] }, 'Done.'])
  const { call } = await serve({ model, store, tools: [agentTool(scout, { name: 'look' })] }, { store })
  const { id } = (await call('POST', '/api/conversations', {})).body
  await call('POST', `/api/conversations/${id}/turns`, { text: 'Go and look' })
  const read = async (conversation: string) => (await call('GET', `/api/conversations/${conversation}`)).body
  await expect.poll(async () => (await read(id)).turns).toMatchObject([{ status: 'completed' }])
  const caller = await read(id)
  const { agent, messageId } = caller.calls[0]
  expect(caller.caller).toBeUndefined()
  expect((await read(encodeURIComponent(agent.conversationId))).caller).toEqual({
    conversationId: id,
    title: 'Go and look',
    agent: 'scout',
    messageId,
  })
})
