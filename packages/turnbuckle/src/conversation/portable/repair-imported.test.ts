import { createAgent } from 'turnbuckle'
import { importConversation, memoryStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { PortableConversation, PortableNode } from './portable-conversation.ts'
import { repairImported } from './repair-imported.ts'

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

test('a call without a result gets one, at the end and in the middle', async () => {
  const store = memoryStore()
  const after = node('v', 'a', 'user', [{ type: 'text', text: 'And?' }])
  await importConversation(store, JSON.stringify({ ...base, nodes: [user, caller] }))
  await importConversation(store, JSON.stringify({ ...base, head: 'v', id: 'd', nodes: [user, caller, after] }))
  const agent = createAgent({ model: scriptedModel(['Yes.', 'Yes.']), store })
  for (const id of ['c', 'd']) {
    await agent.conversation(id).send('Well?')
    expect(checkHistory(agent.conversation(id).messages)).toEqual([])
  }
})

test.each([
  { what: 'at the end', nodes: [user, caller], head: 'a', path: ['u', 'a', 'a.n~imported'] },
  {
    what: 'before another message',
    nodes: [user, caller, node('v', 'a', 'user', [])],
    head: 'v',
    path: ['u', 'a', 'a.n~imported', 'v'],
  },
  {
    what: 'nowhere, where it has one',
    nodes: [user, caller, node('r', 'a', 'tool', [{ type: 'result', id: 'n', name: 'note', status: 'ok' }])],
    head: 'r',
    path: ['u', 'a', 'r'],
  },
])('the result that a call lacks is put in $what', ({ nodes, head, path }) => {
  const repaired = repairImported({ ...base, head, nodes } as unknown as PortableConversation)
  const byId = new Map<string | undefined, PortableNode>(repaired.nodes.map(each => [each.id, each]))
  const found: string[] = []
  for (let at = byId.get(repaired.head); at; at = byId.get(at.parent)) found.unshift(at.id)
  expect(found).toEqual(path)
})

test('two branches behind one open call share the result that is put in', () => {
  const nodes = [user, caller, node('v', 'a', 'user', []), node('w', 'a', 'user', [])]
  const repaired = repairImported({ ...base, head: 'w', nodes } as unknown as PortableConversation)
  expect(repaired.nodes.map(({ id, parent }) => [id, parent])).toEqual([
    ['u', undefined],
    ['a', 'u'],
    ['a.n~imported', 'a'],
    ['v', 'a.n~imported'],
    ['w', 'a.n~imported'],
  ])
})
