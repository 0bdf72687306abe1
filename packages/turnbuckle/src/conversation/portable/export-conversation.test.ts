import { createAgent, textOf, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { exportConversation, importConversation, KeptFiles, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

async function recorded() {
  const store = memoryStore()
  const note = tool({ name: 'note', run: () => 'noted ```x```' })
  const model = scriptedModel([
    { text: 'See.', calls: [{ name: 'note', args: { a: 1 }, id: 'n' }], usage: { inputTokens: 1, outputTokens: 2 } },
    'Done.',
    'Otherwise.',
  ])
  const agent = createAgent({ model, tools: [note], store })
  const chat = agent.conversation('c')
  await chat.send('Go.')
  await chat.fork(null).send('Instead.')
  chat.title = 'A trip'
  return store
}

test('a file that the store keeps beside the log is in the JSON', async () => {
  const store = memoryStore()
  const files = new KeptFiles(store)
  const kept = { id: 'f1', by: 'ann', mediaType: 'image/png', size: 3, createdAt: 1 }
  await files.put(kept, 'AAEC')
  await files.claim(kept, 'c')
  const data = 'turnbuckle-file:f1'
  const content = [{ type: 'file' as const, mediaType: 'image/png', data }]
  await createAgent({ model: scriptedModel(['Nice.']), store })
    .conversation('c')
    .send({ role: 'user', content })
  expect((await store.nodes('c'))[0]?.message.content).toMatchObject([{ data }])
  expect(JSON.parse(await exportConversation(store, 'c')).nodes[0].message.content).toMatchObject([{ data: 'AAEC' }])
})

const plain = (nodes: readonly object[]) => JSON.parse(JSON.stringify(nodes)) as unknown

test('what was exported as JSON is imported as the same tree', async () => {
  const store = await recorded()
  const json = await exportConversation(store, 'c')
  const other = memoryStore()
  expect(await importConversation(other, json, { owner: 'ann' })).toBe('c')
  expect(plain(await other.nodes('c'))).toEqual(plain(await store.nodes('c')))
  expect(await other.conversation('c')).toMatchObject({ title: 'A trip', owner: 'ann', usage: { inputTokens: 1 } })
  expect(await exportConversation(other, 'c')).toBe(json)
  await expect(importConversation(other, json)).rejects.toMatchObject({ code: 'conversation.exists' })
  expect(await importConversation(other, json, { id: 'd' })).toBe('d')
})

test('Markdown shows the path to the head, calls and results', async () => {
  const store = await recorded()
  const done = (await store.nodes('c'))[3]
  createAgent({ model: scriptedModel([]), store })
    .conversation('c')
    .checkout(done?.id ?? '')
  await Promise.resolve()
  const text = await exportConversation(store, 'c', 'md')
  expect(text).toContain('# A trip\n')
  expect(text).toContain('## User\n\nGo.')
  expect(text).toContain('Calls `note`:')
  expect(text).toContain('`note` (ok):\n\n````\nnoted ```x```\n````')
})

test('what a person has hidden is in neither format; the head is what is left of its path', async () => {
  const store = await recorded()
  const [asked, , , done] = await store.nodes('c')
  const chat = createAgent({ model: scriptedModel([]), store }).conversation('c')
  chat.checkout(done?.id ?? '')
  chat.emit({ type: 'message.hidden', messageId: asked?.id ?? '' })
  await expect.poll(() => store.search({ text: 'Go' })).toEqual([])
  const other = memoryStore()
  await importConversation(other, await exportConversation(store, 'c'))
  expect((await other.nodes('c')).map(({ message }) => textOf(message))).toEqual(['Instead.', 'Otherwise.'])
  expect(await exportConversation(store, 'c', 'md')).toBe('# A trip\n')
})

test('what a person has changed in a call is in the file, and comes in again', async () => {
  const store = memoryStore()
  const model = scriptedModel([{ calls: [{ name: 'note', args: { a: 1 }, id: 'n' }] }, 'Done.'])
  const use = [approval({ answers: () => ({ decision: 'allow', args: { a: 2 } }) })]
  await createAgent({ model, tools: [tool({ name: 'note', run: () => 'noted' })], use, store })
    .conversation('c')
    .send('Go.')
  const other = memoryStore()
  await importConversation(other, await exportConversation(store, 'c'))
  const parts = (await other.nodes('c')).flatMap(({ message }) => message.content)
  expect(parts.find(({ type }) => type === 'result')).toMatchObject({ args: { a: 2 }, value: 'noted' })
})
