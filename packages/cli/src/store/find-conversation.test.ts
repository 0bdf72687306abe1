import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { findConversation, findTurn } from './find-conversation.ts'

async function storeWithTurns() {
  const store = memoryStore()
  const ids = ['conv_ab12', 'turn_aa11', 'conv_ab34', 'turn_ab22']
  const next = (kind: string) => ids.find((id, i) => id.startsWith(kind) && ids.splice(i, 1)) ?? `${kind}_x${++extra}`
  let extra = 0
  const agent = createAgent({ model: scriptedModel(['One.', 'Two.']), store, ids: { next } })
  await agent.send('Go.')
  await agent.send('Go.')
  return store
}

test.each([
  { id: 'turn_aa11', is: 'turn_aa11' },
  { id: 'turn_aa', is: 'turn_aa11' },
  { id: 'ab', is: 'turn_ab22' },
  { id: 'last', is: 'turn_ab22' },
])('$id is the turn $is', async ({ id, is }) => {
  expect(await findTurn(await storeWithTurns(), id)).toMatchObject({ id: is })
})

test('a beginning of several names them, one of none says where to look', async () => {
  const store = await storeWithTurns()
  await expect(findTurn(store, 'turn_a')).rejects.toThrow('"turn_a" could be turn_aa11, turn_ab22. Write more of it.')
  await expect(findTurn(store, 'turn_z')).rejects.toThrow('There is no turn "turn_z". turnbuckle show ID lists')
  await expect(findConversation(store, 'ab')).rejects.toThrow('"ab" could be conv_ab')
  expect(await findConversation(store, 'ab3')).toMatchObject({ id: 'conv_ab34' })
})
