import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { pickConversation } from './pick-conversation.ts'

/** The newest is the one that was changed last, by the store's clock. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() === now) await new Promise(resolve => setImmediate(resolve))
}

async function place(said: readonly string[]) {
  const store = memoryStore()
  const agent = createAgent({ model: scriptedModel(said.map(() => 'Hi.')), store })
  for (const id of said) {
    await nextMillisecond()
    await agent.conversation(id).send('Go.')
  }
  return { store, agent, loaded: { user: {}, project: {} } }
}

test('without flags it is a new one', async () => {
  const { id, messages } = await pickConversation(await place(['conv_a']), {})
  expect(id).not.toBe('conv_a')
  expect(messages).toEqual([])
})

test('--conversation takes the beginning of an id, --continue the newest', async () => {
  const both = await place(['conv_a', 'conv_b'])
  const { id, messages } = await pickConversation(both, { conversation: 'a' })
  expect([id, messages.length]).toEqual(['conv_a', 2])
  expect((await pickConversation(both, { continue: true })).id).toBe('conv_b')
})

test('--continue without a conversation ends with 1', async () => {
  await expect(pickConversation(await place([]), { continue: true })).rejects.toMatchObject({ exitCode: 1 })
})
