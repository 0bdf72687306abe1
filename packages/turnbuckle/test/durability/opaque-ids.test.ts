import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentTool, createAgent, type Ids, type Model, middleware, type Turn, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { type ConversationStore, replay, sqliteStore } from 'turnbuckle/stores'
import { virtualClock } from 'turnbuckle/testing'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-ids-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Gives ids for turns, conversations and calls, and keeps those that it gave. */
class Given implements Ids {
  readonly all: string[] = []
  readonly #make: (kind: string, count: number) => string

  constructor(make: (kind: string, count: number) => string) {
    this.#make = make
  }
  next(kind: string): string {
    const id = this.#make(kind, this.all.length)
    this.all.push(id)
    return id
  }
  /** The value with a number for each id, so that programs with other ids can be compared. */
  numbered(value: unknown): unknown {
    const text = this.all.reduce((said, id, i) => said.replaceAll(id, `<${i}>`), JSON.stringify(value))
    // A person's yes is kept under a digest that has ids in it, and a sub-agent's turn is named by one.
    return JSON.parse(text.replace(/[0-9a-f]{32,64}/g, '<digest>'))
  }
}

/** Its first attempt breaks off; then it makes calls with the ids that are given, and says that it is done. */
function working(names: readonly string[], ids: Ids): Model {
  let attempts = 0
  return {
    id: 'working',
    async *stream({ messages }) {
      const said = messages.some(({ role }) => role === 'tool')
      yield { type: 'text', text: said ? 'Done.' : 'Let me see.' }
      if (!said && !attempts++) throw new Error('It broke off.')
      for (const name of said ? [] : names) yield { type: 'call', id: ids.next('call'), name, args: { task: 'Work.' } }
    },
  }
}

/** Hooks at every stage, so that each has checkpoints. The failed attempt is made again. */
function watching(seen: string[]) {
  const stages = ['Turn', 'Input', 'Step', 'Model', 'Detect', 'Append', 'Tools', 'Tool', 'Decide']
  const hooks = stages.flatMap(stage => [
    [`before${stage}`, () => void seen.push(`before${stage}`)],
    [`after${stage}`, ({ status }: { readonly status: string }) => void seen.push(`after${stage} ${status}`)],
  ])
  const wrapModel = (_ctx: unknown, next: () => Promise<unknown>) => next().catch(() => next())
  const given: object = { name: 'watching', wrapModel, ...Object.fromEntries(hooks) }
  return middleware(given as Parameters<typeof middleware>[0])
}

/** An agent and its sub-agent as one process has them. */
function processOn(store: ConversationStore, ids: Ids, seen: string[]) {
  const work = tool({ name: 'work', run: () => 'worked' })
  const shared = { store, ids, clock: virtualClock(1), use: [watching(seen), approval()] }
  const helper = createAgent({ ...shared, name: 'helper', model: working(['work'], ids), tools: [work] })
  const tools = [work, agentTool(helper, { name: 'helper' })]
  const agent = createAgent({ ...shared, name: 'main', model: working(['work', 'helper'], ids), tools })
  return { agent, close: () => Promise.all([agent.close(), helper.close()]) }
}

/** Allows what a turn asks. `until`: the number of the request that is left open; the process ends there. */
async function allow(turn: Turn, answer: (id: string) => unknown, until = Infinity): Promise<void> {
  let asked = 0
  for await (const event of turn) {
    if (event.type !== 'request.opened') continue
    if (++asked === until) return
    await answer(event.requestId)
  }
}
/** Step and number of each attempt, as the notes of the open turn have them. */
async function attemptsIn(store: ConversationStore): Promise<unknown> {
  const [turn] = await store.turns({ conversation: 'c', status: 'open' })
  const notes = await store.driver.records('c', { turn: turn?.id ?? '' })
  return notes.flatMap(({ type, body: { step, attempt } }) =>
    type === 'note.attempt' || type === 'note.reply' ? [`${type} ${step} ${attempt}`] : [],
  )
}
const yes = { decision: 'allow', scope: 'once' }

/** Tools, a sub-agent that asks, a process that ends at the `until`-th question, another that goes on, a fork and a replay. */
async function live(name: string, given: Given, until: number): Promise<unknown> {
  const store = sqliteStore(join(folder, `${name}-${until}.db`))
  const seen: string[] = []
  const first = processOn(store, given, seen)
  const begun = first.agent.conversation('c')
  await allow(begun.send('Go.'), id => begun.answer(id, yes), until)
  await first.close()
  const facts = await attemptsIn(store)
  seen.push('another process')
  const { agent, close } = processOn(store, given, seen)
  const chat = await agent.open('c')
  const resumed = agent.resume('c')
  for (const { id } of chat.requests) await chat.answer(id, yes)
  if (resumed) await allow(resumed, id => chat.requests.some(open => open.id === id) && chat.answer(id, yes))
  const fork = chat.fork(chat.messages[0]?.id)
  const forked = fork.send('Another way.')
  await allow(forked, id => fork.answer(id, yes))
  const results = [await resumed?.settled, await forked.settled]
  await close()
  const rows = (await store.list()).map(({ id, caller, head }) => ({ id, caller, head }))
  const told = await Promise.all(rows.map(async ({ id }) => store.events(id)))
  const [turn] = await store.turns({ conversation: 'c' })
  const replayed = turn && (await replay(store, turn, { use: [] }))
  const closed = (await store.requests({ closed: true })).map(({ id, conversation }) => ({ id, conversation }))
  await store.close()
  const byText = (list: readonly unknown[]) => list.map(one => JSON.stringify(given.numbered(one))).sort()
  return {
    seen,
    facts,
    results: given.numbered(results),
    rows: byText(rows),
    told: byText(told),
    closed: byText(closed),
    replayed: replayed?.divergence,
  }
}

test.each([1, 2, 3])('a turn left at question %i goes on, forks and replays whatever its ids are', async until => {
  const usual = (await live('usual', new Given((kind, count) => `${kind}_${count}x`), until)) as Record<string, unknown>
  const opaque = await live(
    'opaque',
    new Given((_, count) => `s${count}a0/s1.model#0/tool:.s9a${count}#1/turn_.`),
    until,
  )
  expect(usual['facts']).toEqual(['note.attempt 0 0', 'note.attempt 0 1', 'note.reply 0 1'])
  expect(usual['results']).toMatchObject([
    { status: 'completed', text: 'Done.' },
    { status: 'completed', text: 'Done.' },
  ])
  expect(opaque).toEqual(usual)
})
