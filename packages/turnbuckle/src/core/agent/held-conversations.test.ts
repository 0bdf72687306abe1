import { createAgent, textOf } from 'turnbuckle'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { codeOf } from '../../../test/support/code-of.ts'

const hi = () => scriptedModel(['Hi'], { repeat: true })
/** A store whose logs come later, and that counts them. */
function late(): { readonly store: ConversationStore; attached: number } {
  const store = memoryStore()
  const counted = {
    attached: 0,
    store: {
      ...store,
      attach: async (...given: Parameters<ConversationStore['attach']>) => {
        counted.attached++
        return store.attach(...given)
      },
    },
  }
  return counted
}

test('a conversation asked for by its name is the same one', async () => {
  const agent = createAgent({ model: scriptedModel(['A', 'B']) })
  await agent.conversation('mine').send('One')
  const again = agent.conversation('mine')
  expect(again.messages.map(textOf)).toEqual(['One', 'A'])
  again.delete()
  expect(agent.conversation('mine').messages).toEqual([])
})

test('a conversation is found by its id while somebody holds it, and is interrupted when the agent closes', async () => {
  const agent = createAgent({ model: scriptedModel(['Hi', { text: 'Late', delayMs: 60_000 }]) })
  const chat = agent.conversation()
  await chat.send('Go')
  expect(agent.conversation(chat.id).messages).toEqual(chat.messages)
  const turn = chat.send('On')
  await agent.close()
  expect((await turn).status).toBe('interrupted')
})

test('a conversation of a store that answers later has to be opened by its name first', async () => {
  const { store } = late()
  const agent = createAgent({ model: hi(), store })
  expect(codeOf(() => agent.conversation('c'))).toBe('conversation.closed')
  await (await agent.open('c')).send('Go')
  expect(agent.conversation('c').messages.map(textOf)).toEqual(['Go', 'Hi'])
  expect((await agent.conversation().send('Go')).text).toBe('Hi')
})

test('those who open a conversation at the same time share one reading and one tree', async () => {
  const counted = late()
  const agent = createAgent({ model: hi(), store: counted.store })
  const [one, other] = await Promise.all([agent.open('c'), agent.open('c')])
  expect(counted.attached).toBe(1)
  await one.send('Go')
  expect(other.tree).toEqual(one.tree)
})

test('the id of a deleted conversation means a new one', async () => {
  const agent = createAgent({ model: hi(), store: memoryStore() })
  const chat = agent.conversation('c')
  await chat.send('Go')
  await chat.delete()
  const again = await agent.open('c')
  expect(again.messages).toEqual([])
  expect((await again.send('Go')).text).toBe('Hi')
})
