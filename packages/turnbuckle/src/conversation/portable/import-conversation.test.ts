import { importConversation, memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'

const base = { format: 'turnbuckle', version: 1, id: 'c', head: 'a' }
const node = (id: string, parent: string | undefined, role: string, content: object[], more: object = {}) => ({
  id,
  parent,
  at: 1,
  message: { id, role, content },
  ...more,
})
const user = node('u', undefined, 'user', [{ type: 'text', text: 'Go.' }])
const caller = node('a', 'u', 'assistant', [{ type: 'call', id: 'n', name: 'note', args: {} }])

test.each([
  { name: 'no JSON', file: '{', says: 'not valid JSON' },
  { name: 'an unknown member', file: { ...base, nodes: [{ ...user, run: 'rm' }] }, says: 'nodes[0].run is not known' },
  {
    name: 'an unknown part',
    file: { ...base, nodes: [node('u', undefined, 'user', [{ type: 'code' }])] },
    says: 'type is not known',
  },
  {
    name: 'a part with the name of something every object has',
    file: { ...base, nodes: [node('u', undefined, 'user', [{ type: 'constructor' }])] },
    says: 'type is not known',
  },
  {
    name: 'a source with something in it',
    file: { ...base, nodes: [node('u', undefined, 'user', [{ type: 'source', run: 'rm' }])] },
    says: 'run is not known',
  },
  { name: 'an unknown role', file: { ...base, nodes: [node('u', undefined, 'root', [])] }, says: 'role is none of' },
  { name: 'a newer version', file: { ...base, version: 2, nodes: [] }, says: 'version is none of 1' },
  { name: 'a missing parent', file: { ...base, nodes: [caller] }, says: 'follows "u", which is not before it' },
  { name: 'a message twice', file: { ...base, nodes: [user, user] }, says: 'is there twice' },
  { name: 'a head that is not there', file: { ...base, nodes: [user] }, says: 'the head is "a"' },
  {
    name: 'a result nobody asked for',
    file: {
      ...base,
      head: 'u',
      nodes: [user, node('r', 'u', 'tool', [{ type: 'result', id: 'x', name: 'note', status: 'ok' }])],
    },
    says: 'answers no call',
  },
])('$name is refused, and nothing is kept', async ({ file, says }) => {
  const store = memoryStore()
  const json = typeof file === 'string' ? file : JSON.stringify(file)
  await expect(importConversation(store, json)).rejects.toMatchObject({
    code: 'import.invalid',
    message: expect.stringContaining(says),
  })
  expect(await store.list()).toEqual([])
})

test('of a title as long as a book the beginning is kept, in whole characters: lists have titles in full', async () => {
  const store = memoryStore()
  const file = { ...base, head: 'u', title: '🦜'.repeat(100_000), nodes: [user] }
  await importConversation(store, JSON.stringify(file))
  expect((await store.conversation('c'))?.title).toBe('🦜'.repeat(200))
})

test('an author that the file names does not pass for a person of that name here, however often it is imported', async () => {
  const store = memoryStore()
  const forged = { ...user, message: { ...user.message, by: 'alice' } }
  await importConversation(store, JSON.stringify({ ...base, head: 'u', nodes: [forged] }))
  const [node] = await store.nodes('c')
  expect(node?.message.by).toBe('alice (imported)')
  const again = { ...base, head: 'u', nodes: [{ ...user, message: node?.message }] }
  await importConversation(store, JSON.stringify(again), { id: 'd' })
  expect((await store.nodes('d'))[0]?.message.by).toBe('alice (imported)')
})
