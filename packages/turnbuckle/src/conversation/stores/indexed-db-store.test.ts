import 'fake-indexeddb/auto'
import { createAgent, tool } from 'turnbuckle'
import { scriptedModel, storeConformance } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { indexedDbStore } from './indexed-db-store.ts'

storeConformance((database, options) => indexedDbStore(database, options), test)

test('a conversation is gone on with by another agent on the same database', async () => {
  const look = tool({ name: 'look', run: () => 'a tree' })
  const first = indexedDbStore('two-agents')
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'I see a tree.'])
  await createAgent({ model, tools: [look], store: first })
    .conversation()
    .send('Look.')
  const [row] = await first.list()
  await first.close()
  const second = indexedDbStore('two-agents')
  const chat = await createAgent({ model: scriptedModel(['Still there.']), store: second }).open(String(row?.id))
  expect(await chat.send('And now?')).toMatchObject({ status: 'completed', text: 'Still there.' })
  expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'assistant'])
  await second.close()
})
