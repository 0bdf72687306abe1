import { middleware } from 'turnbuckle'
import { memoryStore, replay } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { serve } from '../../test/serve.ts'
import { isOver } from '../../test/socket-client.ts'
import { recordedSettings } from './recorded-settings.ts'

/** A store with three turns of one conversation, whose own settings change before the second and before the third. */
async function threeTurns() {
  const store = memoryStore()
  const model = scriptedModel(['Hello.'], { repeat: true, id: 'first' })
  const other = scriptedModel(['Hi.'], { repeat: true, id: 'second' })
  const models = { list: async () => ['first', 'second'], find: async () => other }
  const server = await serve({ model, store, instructions: 'Be kind.' }, { store, models })
  const id = await server.newConversation()
  const client = await server.follow(id)
  for (const change of [undefined, { model: 'second', instructions: 'Be brief.' }, { params: { temperature: 0.5 } }]) {
    if (change) await server.call('PATCH', `/api/conversations/${id}`, change)
    const { body } = await server.call('POST', `/api/conversations/${id}/turns`, { text: 'Hello?' })
    await client.until(event => isOver(event) && event.turnId === body.turnId)
  }
  await server.close()
  return store
}
const noop = middleware({ name: 'noop', beforeModel: () => {} })

test('turns of a conversation with settings of its own are the same in a replay that has the settings of then', async () => {
  const store = await threeTurns()
  const settings = recordedSettings(store)
  const outcomes: string[] = []
  for await (const { outcome } of replay(store, 'all', { use: async turn => [await settings(turn), noop] }))
    outcomes.push(outcome)
  expect(outcomes).toEqual(['same', 'same', 'same'])
})

test('without them a replay diverges at the first prompt that they had changed', async () => {
  const store = await threeTurns()
  const outcomes: string[] = []
  for await (const { outcome } of replay(store, 'all', { use: [noop] })) outcomes.push(outcome)
  expect(outcomes.toSorted()).toEqual(['diverged', 'diverged', 'same'])
})
