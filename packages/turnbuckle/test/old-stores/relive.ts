import type { Conversation, Turn } from 'turnbuckle'
import { type ConversationStore, exportConversation, replay } from 'turnbuckle/stores'
import { laterLife, type Situation } from './life.ts'

/** One at a time: many reads at once would have PostgreSQL start a process for each. */
async function inOrder<Item, Result>(items: readonly Item[], read: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await read(item))
  return results
}

/** Everything that a store says of a conversation, as plain JSON. */
async function readConversation(store: ConversationStore, id: string) {
  const turns = await store.turns({ conversation: id })
  const row = await store.conversation(id)
  const ofTurns = await inOrder(turns, async ({ id: turn }) => ({
    turn,
    decisions: await store.decisions(id, turn),
    notes: (await store.driver.records(id, { turn })).filter(({ seq }) => seq === undefined),
  }))
  return {
    // The wall clock's; the survey tells them.
    row: { ...row, createdAt: undefined, updatedAt: undefined },
    nodes: await store.nodes(id),
    events: await store.events(id),
    turns,
    ofTurns,
    requests: await store.requests({ conversation: id }),
    states: await store.driver.states(id),
  }
}
type Read = Awaited<ReturnType<typeof readConversation>>

/** The conversation of a situation, then those of its sub-agents. */
async function readSituation(store: ConversationStore, name: string): Promise<Read[]> {
  const rows = await store.list({ limit: 200 })
  const ids = rows.map(({ id }) => id).filter(id => id === name || id.startsWith(`${name}-turn`))
  return inOrder(ids.sort(), id => readConversation(store, id))
}

/** Events that were told before are left out. */
const newsOf = (after: readonly Read[], before: readonly Read[]) =>
  after.map(({ events, ...rest }) => {
    const known = before.find(({ row }) => row.id === rest.row.id)
    return { ...rest, events: events.slice(known?.events.length ?? 0) }
  })

/** What a handle says of the conversation. The tree has what the path has. */
const readHandle = (chat: Conversation) => ({
  head: chat.head,
  title: chat.title,
  path: chat.messages.map(({ id }) => id),
  tree: chat.tree,
  requests: chat.requests,
  unfinished: chat.unfinished.map(turn => ({ turn, told: chat.told(turn).length, partial: chat.partial(turn) })),
})

/** Follows a turn to its end; a person allows what is asked and says that what may have happened has. */
async function toEnd(chat: Conversation, turn: Turn) {
  const told: string[] = []
  for await (const event of turn) {
    if (event.seq !== undefined) told.push(`${event.seq} ${event.type}`)
    if (event.type !== 'request.opened' || !chat.requests.some(({ id }) => id === event.requestId)) continue
    await chat.answer(event.requestId, event.kind === 'outcome' ? { outcome: 'happened' } : allow)
  }
  const { error, ...result } = await turn.settled
  return { ...result, told, error: error === undefined ? undefined : String(error), decisions: turn.explain() }
}
const allow = { decision: 'allow', scope: 'once' }

/** Goes through a situation in a store: reads it, resumes what is unfinished, appends a turn, reopens and reads again. */
export async function relive(open: () => ConversationStore, situation: Situation): Promise<unknown> {
  const { name } = situation
  const store = open()
  const before = await readSituation(store, name)
  const life = laterLife(store, name)
  const agent = situation.agent(life)
  const chat = await agent.open(name)
  await chat.load()
  const opened = readHandle(chat)
  const resumed: unknown[] = []
  for (let turn = agent.resume(name); turn; turn = agent.resume(name)) resumed.push(await toEnd(chat, turn))
  const next = await agent.open(name)
  const appended = await toEnd(next, next.send('One more thing.'))
  await next.kept()
  await agent.close()
  const after = await readSituation(store, name)
  await store.close()
  const again = open()
  const reopened = await readSituation(again, name)
  const later = await situation.agent(laterLife(again, name)).open(name)
  await later.load()
  const handle = readHandle(later)
  await again.close()
  const same = JSON.stringify(reopened) === JSON.stringify(after)
  return plain({
    before,
    opened,
    resumed,
    appended,
    witness: life.witness,
    after: newsOf(reopened, before),
    same,
    handle,
  })
}

/** What a store says of all its conversations, and an export and a counterfactual replay of those that have ended. */
export async function survey(open: () => ConversationStore): Promise<unknown> {
  const store = open()
  const found = await inOrder(['done', 'secret', 'edited'], async text => {
    const hits = await store.search({ text })
    return { text, hits: hits.map(({ conversation, node }) => `${conversation} ${node.id}`).sort() }
  })
  const rows = await store.list({ limit: 200 })
  const turns = (await store.turns({ conversation: 'finished' })).slice(0, 2)
  const read = {
    rows: [...rows].sort((a, b) => (a.id < b.id ? -1 : 1)),
    owned: await store.list({ owner: 'ada' }),
    open: (await store.turns({ status: 'open' })).map(({ id }) => id).sort(),
    requests: (await store.requests()).map(({ id }) => id).sort(),
    found,
    entry: await store.get('fixtures', 'kept'),
    entries: await store.entries('fixtures'),
    exported: await inOrder(['finished', 'branches', 'hidden'], id => exportConversation(store, id)),
    markdown: await exportConversation(store, 'finished', 'md'),
    // The second turn's guard is not there now, so another decision is made.
    replayed: await inOrder(turns, turn => replay(store, turn, { use: [] })),
    loss: store.loss,
  }
  await store.close()
  return plain(read)
}

const plain = (value: object): unknown => JSON.parse(JSON.stringify(value))
