import { agentTool, createAgent } from 'turnbuckle'
import { type Client, createClient, sharedReader } from 'turnbuckle/client'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { type Served, serve } from './serve.ts'
import { isOver } from './socket-client.ts'

const tokens = 'ada:ada-token:owner,bob:bob-token:member,eve:eve-token:viewer,dan:dan-token:member'
const missing = { status: 404, code: 'conversation.missing' }

/** Ada’s conversation of two branches. In each a guide calls a scout of its own. */
async function calling() {
  const store = memoryStore()
  const scout = createAgent({ name: 'scout', model: scriptedModel(['I saw it.'], { repeat: true }), store })
  const guided = [{ calls: [{ name: 'look', args: { task: 'Look.' } }] }, 'This way.']
  const guide = createAgent({
    name: 'guide',
    model: scriptedModel(guided, { repeat: true }),
    store,
    tools: [agentTool(scout, { name: 'look' })],
  })
  const asked = [{ calls: [{ name: 'lead', args: { task: 'Lead.' } }] }, 'Done.']
  const server = await serve(
    { model: scriptedModel(asked, { repeat: true }), store, tools: [agentTool(guide, { name: 'lead' })] },
    { store, token: undefined, tokens },
  )
  const as = (name: string): Client => createClient({ url: server.url, token: `${name}-token` })
  const ada = as('ada')
  const { id } = await ada.createConversation('Trip')
  const socket = await server.join('ada-token')
  await socket.ask({ type: 'subscribe', conversationId: id, after: 0 })
  for (const text of ['one', 'two']) {
    await socket.ask({ type: 'send', conversationId: id, text, parentId: null })
    await socket.until(isOver)
  }
  const { calls, nodes } = await ada.conversation(id)
  const guides = calls.map(({ agent }) => agent?.conversationId ?? '')
  const scouts = await Promise.all(guides.map(guideId => subAgentOf(ada, guideId)))
  return { server, store, as, ada, id, guides, scouts, nodes }
}
const subAgentOf = async (person: Client, id: string): Promise<string> =>
  (await person.conversation(id)).calls[0]?.agent?.conversationId ?? ''

const followed = async (server: Served, name: string, conversationId: string): Promise<boolean> =>
  (await (await server.join(`${name}-token`)).ask({ type: 'subscribe', conversationId, after: 0 })).ok

test('who may read a conversation may read its sub-agents’, at any depth; for others they are not there', async () => {
  const { server, as, ada, id, guides, scouts } = await calling()
  const [bob, eve, dan] = [as('bob'), as('eve'), as('dan')]
  await ada.sharePerson(id, 'bob', 'talk')
  await ada.sharePerson(id, 'eve', 'read')
  for (const subAgent of [...guides, ...scouts]) {
    expect(await bob.conversation(subAgent)).toMatchObject({ owner: 'ada', access: 'talk' })
    expect(await eve.conversation(subAgent)).toMatchObject({ owner: 'ada', access: 'read' })
    await expect(dan.conversation(subAgent)).rejects.toMatchObject(missing)
  }
  const [guide = ''] = guides
  expect((await eve.conversation(guide)).caller).toMatchObject({ conversationId: id, agent: 'guide' })
  expect([await followed(server, 'eve', guide), await followed(server, 'dan', guide)]).toEqual([true, false])
  const ids = (await eve.listConversations()).map(one => one.id)
  expect(ids).toEqual([id])
})

test('a sub-agent’s conversation gives no right that its caller’s does not give', async () => {
  const { as, ada, id, guides } = await calling()
  const [guide = ''] = guides
  const [bob, eve] = [as('bob'), as('eve')]
  await ada.sharePerson(id, 'bob', 'read')
  await ada.sharePerson(id, 'eve', 'read')
  const refused = { status: 403, code: 'role.missing' }
  await expect(bob.changeConversation(guide, { title: 'Mine' })).rejects.toMatchObject(refused)
  await expect(bob.deleteConversation(guide)).rejects.toMatchObject(refused)
  await expect(bob.sharePerson(guide, 'dan', 'read')).rejects.toMatchObject(refused)
  await expect(eve.changeConversation(guide, { title: 'Mine' })).rejects.toMatchObject(refused)
  await ada.unsharePerson(id, 'bob')
  await expect(bob.conversation(guide)).rejects.toMatchObject(missing)
})

test('whoever follows a sub-agent’s conversation hears when it is not there for them any more', async () => {
  const { server, ada, id, guides } = await calling()
  const [guide = ''] = guides
  await ada.sharePerson(id, 'bob', 'read')
  const [bob, own] = [await server.join('bob-token'), await server.join('ada-token')]
  for (const socket of [bob, own]) {
    await socket.ask({ type: 'watch' })
    await socket.ask({ type: 'subscribe', conversationId: guide, after: 0 })
  }
  const isGone = (frame: { readonly type?: unknown; readonly conversationId?: unknown }) =>
    frame.type === 'conversation.deleted' && frame.conversationId === guide
  await ada.unsharePerson(id, 'bob')
  expect(await bob.until(isGone)).toMatchObject({ conversationId: guide })
  await ada.deleteConversation(id)
  expect(await own.until(isGone)).toMatchObject({ conversationId: guide })
})

test('with its caller a sub-agent’s conversation is gone', async () => {
  const { as, ada, id, guides, scouts } = await calling()
  await ada.sharePerson(id, 'bob', 'read')
  await ada.deleteConversation(id)
  for (const person of [ada, as('bob')])
    for (const subAgent of [...guides, ...scouts])
      await expect(person.conversation(subAgent)).rejects.toMatchObject(missing)
})

test.each([
  { by: 'its server', restarted: false },
  { by: 'the next process', restarted: true },
])(
  'with its caller goes what people said in a sub-agent’s conversation, and whom it was shared with: $by deletes it',
  async ({ restarted }) => {
    const { server, store, as, ada, id, guides } = await calling()
    const [guide = ''] = guides
    await ada.sharePerson(guide, 'dan', 'talk')
    await ada.shareLink(guide)
    const socket = await server.join('dan-token')
    await socket.ask({ type: 'subscribe', conversationId: guide, after: 0 })
    await socket.ask({ type: 'send', conversationId: guide, text: 'secret words' })
    await socket.until(isOver)
    const entries = 'server.conversations'
    await expect.poll(() => store.get(entries, guide)).toMatchObject({ said: 'secret words' })
    await expect.poll(async () => (await store.entries('server.traces')).length).toBeGreaterThan(2)
    if (restarted) {
      await store.set(entries, id, { ...((await store.get(entries, id)) as object), deleting: true })
      await serve({ model: scriptedModel([]), store }, { store, token: undefined, tokens })
    } else await ada.deleteConversation(id)
    for (const person of restarted ? [] : [ada, as('dan')])
      await expect(person.conversation(guide)).rejects.toMatchObject(missing)
    for (const space of [entries, 'server.unbegun', 'server.shares', 'server.shareLinks', 'server.traces'])
      expect(await store.entries(space), space).toEqual([])
  },
)

/** Readers of a link of the first question, of the first branch, and of the tree. */
async function linked({ server, ada, id, guides, nodes }: Awaited<ReturnType<typeof calling>>) {
  const open = ({ url }: { readonly url: string }) => {
    const [, shareId = '', token = ''] = /^\/s\/([^#]+)#share=(.+)$/.exec(url) ?? []
    return sharedReader({ url: server.url, shareId, token })
  }
  const end = nodes.find(node => node.message.role === 'assistant' && node.turnId === guides[0]?.split('.')[0])
  const question = open(await ada.shareLink(id, nodes[0]?.id))
  const branch = open(await ada.shareLink(id, end?.id))
  return { question, branch, tree: open(await ada.shareLink(id)) }
}

test('a read-only link opens the sub-agents of what it shows, and no others', async () => {
  const called = await calling()
  const { id, guides, scouts } = called
  const { question, branch, tree } = await linked(called)
  const conversationsOf = async (reader: typeof tree, agent?: string) =>
    (await reader.read(agent)).agents?.map(({ conversationId }) => conversationId)
  expect(await conversationsOf(question)).toBeUndefined()
  expect(await conversationsOf(branch)).toEqual([guides[0]])
  expect(await conversationsOf(tree)).toEqual(guides)
  expect(await branch.read(guides[0])).toMatchObject({ title: 'Lead.', agents: [{ name: 'scout' }] })
  expect(JSON.stringify(await branch.read(scouts[0]))).toContain('I saw it.')
  for (const agent of [guides[1], scouts[1], id, 'none'])
    await expect(branch.read(agent)).rejects.toMatchObject(missing)
  await expect(question.read(guides[0])).rejects.toMatchObject(missing)
  expect(JSON.stringify(await tree.read(scouts[1]))).toContain('I saw it.')
  await expect(branch.readFile('none', guides[0])).rejects.toMatchObject({ code: 'file.missing' })
  await expect(branch.readFile('none', guides[1])).rejects.toMatchObject(missing)
})

test('the link of a branch shows what a sub-agent did for its call; what was said to it later only that of a tree', async () => {
  const called = await calling()
  const { server, ada, guides } = called
  const { branch, tree } = await linked(called)
  const [guide = ''] = guides
  const atFirst = await branch.read(guide)
  const socket = await server.join('ada-token')
  await socket.ask({ type: 'subscribe', conversationId: guide, after: 0 })
  await socket.ask({ type: 'send', conversationId: guide, text: 'secret words' })
  await socket.until(isOver)
  const later = (await ada.conversation(guide)).calls.at(-1)?.agent?.conversationId ?? ''
  expect(await branch.read(guide)).toEqual(atFirst)
  expect(atFirst.nodes.map(({ message }) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  await expect(branch.read(later)).rejects.toMatchObject(missing)
  expect(JSON.stringify(await tree.read(guide))).toContain('secret words')
  expect(JSON.stringify(await tree.read(later))).toContain('I saw it.')
})
