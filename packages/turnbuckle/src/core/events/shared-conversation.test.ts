import { createAgent, type Event } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test('an event of a user’s own takes its number in the log outside any turn', async () => {
  const chat = createAgent({ model: scriptedModel(['hello']) }).conversation()
  const events: Event[] = []
  chat.subscribe(event => events.push(event))
  await chat.send('hi')
  chat.emit({ type: 'message.hidden', messageId: 'm' })
  expect(events.at(-1)).toMatchObject({ type: 'message.hidden', messageId: 'm', seq: events.length })
})

test('fork(null) goes on before the first message', async () => {
  const chat = createAgent({ model: scriptedModel(['one', 'two']) }).conversation()
  await chat.send('first')
  const other = chat.fork(null)
  await other.send('instead')
  expect(other.messages).toHaveLength(2)
  expect(chat.tree.filter(node => node.parentId === undefined)).toHaveLength(2)
})

test.each([
  { what: 'in memory', kept: false },
  { what: 'on a log', kept: true },
])('who follows a turn hears its end when the conversation is deleted, $what', async ({ kept }) => {
  const hangs = scriptedModel([() => new Promise<never>(() => {})])
  const chat = createAgent({ model: hangs, ...(kept ? { store: memoryStore() } : {}) }).conversation()
  const turn = chat.send('Go.')
  const types: string[] = []
  for await (const { type } of turn) {
    types.push(type)
    if (type === 'message.added') await chat.delete()
  }
  expect(types).toEqual(['turn.started', 'message.added', 'turn.interrupted'])
  expect((await turn).status).toBe('interrupted')
})
