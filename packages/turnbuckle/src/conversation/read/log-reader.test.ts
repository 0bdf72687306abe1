import { createAgent, type Middleware, middleware, rewind } from 'turnbuckle'
import { type ConversationStore, postgresStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

interface Cost {
  /** Statements that looked at a table or an index of it. */
  readonly scans: number
  readonly read: number
  readonly written: number
}

interface Long {
  readonly schema: string
  readonly url: string
}

/** A conversation of so many messages, one after another, two a turn; notes between them are erased. */
async function conversationOf(messages: number): Promise<Long> {
  const url = await postgres.schema('paging')
  const schema = /search_path=(\w+)/.exec(decodeURIComponent(url))?.[1] as string
  const store = postgresStore(url)
  await createAgent({ model: scriptedModel(['Hello.']), store }).send('Hi.').settled
  await store.close()
  const message = `'{"id":"m' || k || '","role":"' || CASE k % 2 WHEN 1 THEN 'user' ELSE 'assistant' END || '","content":[{"type":"text","text":"word ' || k || '"}]}'`
  const c = `(SELECT c FROM ${schema}.conversations WHERE id = 'long')`
  const all = `generate_series(1, ${messages}) AS k`
  await postgres.query(`
    INSERT INTO ${schema}.conversations (id, head, seq, n, created_at, updated_at, fence, lease_until)
      VALUES ('long', 'm${messages}', ${messages}, ${messages * 4}, 0, 0, 1, 0);
    INSERT INTO ${schema}.nodes (c, id, parent, depth, turn, at, message, body, n)
      SELECT ${c}, 'm' || k, CASE k WHEN 1 THEN NULL ELSE 'm' || (k - 1) END, k, 't' || ((k + 1) / 2), k, ${message}, '', 3 * k FROM ${all};
    INSERT INTO ${schema}.turns (id, conversation, status, started_at, n, last)
      SELECT 't' || k, 'long', 'completed', k, 6 * k - 3, 6 * k FROM generate_series(1, ${messages / 2}) AS k;
    INSERT INTO ${schema}.records (c, n, conversation, seq, turn, type, body)
      SELECT ${c}, 3 * k, 'long', k, 't' || ((k + 1) / 2), 'message.added', '{}' FROM ${all};
    ANALYZE ${schema}.nodes, ${schema}.turns, ${schema}.records, ${schema}.conversations`)
  return { schema, url }
}

/** What the server counts while something is done with the conversation. */
async function costOf(long: Long, act: (store: ConversationStore) => Promise<void>): Promise<Cost> {
  const idle = await counting(long, async () => {})
  const all = await counting(long, act)
  return difference(all, idle)
}

async function counting({ schema, url }: Long, act: (store: ConversationStore) => Promise<void>): Promise<Cost> {
  const before = await countsOf(schema)
  const named = new URL(url)
  named.searchParams.set('application_name', schema)
  const store = postgresStore(named.href)
  await store.get('settings', 'ready')
  await act(store)
  await store.close()
  // A connection hands in its counts before it is gone.
  while ((await postgres.rows(`SELECT 1 FROM pg_stat_activity WHERE application_name = '${schema}'`)).length);
  return difference(await countsOf(schema), before)
}

const difference = (a: Cost, b: Cost): Cost => ({
  scans: a.scans - b.scans,
  read: a.read - b.read,
  written: a.written - b.written,
})

async function countsOf(schema: string): Promise<Cost> {
  const [row] = await postgres.rows(`
    SELECT sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)) AS scans,
      sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) AS read,
      sum(n_tup_ins + n_tup_upd + n_tup_del) AS written
    FROM pg_stat_user_tables WHERE schemaname = '${schema}'`)
  return { scans: Number(row?.['scans']), read: Number(row?.['read']), written: Number(row?.['written']) }
}

const rewinding = middleware({
  name: 'rewinding',
  state: { done: false },
  afterDecide(ctx) {
    if (ctx.state.done) return
    ctx.update(() => ({ done: true }))
    return rewind('m6', 'Otherwise.')
  },
})
const agentOn = (store: ConversationStore, use: readonly Middleware[] = []) =>
  createAgent({ model: scriptedModel(['Yes.'], { repeat: true }), store, use })

const talk =
  (turns: number, { at, use }: { at?: string; use?: Middleware } = {}) =>
  async (store: ConversationStore): Promise<void> => {
    const chat = await agentOn(store, use && [use]).open('long')
    if (at) await chat.load()
    for (let i = 0; i < turns; i++) await (at ? chat.fork(at) : chat).send('And?')
  }

test('on PostgreSQL the length of a conversation costs nothing: opening, reading on, appending, forking, rewinding', async () => {
  const [few, many] = [await conversationOf(10), await conversationOf(100_000)]
  const opened = await costOf(many, talk(0))
  // Its last 64 messages, and the conversation.
  expect(opened.read).toBeLessThanOrEqual(64 + 5)
  expect(opened.written).toBe(0)

  const read = async (store: ConversationStore) =>
    expect((await store.events('long', 99_990)).map(({ seq }) => seq)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(k => 99_990 + k),
    )
  expect((await costOf(many, read)).read).toBeLessThan(150)

  // How much is committed at a time depends on the moment, so these are bounds: a turn of two messages on 10 or 100,000.
  const turnOf = async (long: Long) => {
    const [one, two] = [await costOf(long, talk(1)), await costOf(long, talk(2))]
    return difference(two, one)
  }
  for (const long of [few, many]) {
    const { read, written, scans } = await turnOf(long)
    expect(Math.max(read, written, scans)).toBeLessThan(300)
  }
  expect((await costOf(many, talk(1, { at: 'm6' }))).written).toBeLessThan(100)
  expect((await costOf(many, talk(1, { use: rewinding }))).written).toBeLessThan(100)
}, 600_000)

test('what is not in memory is not passed over: looking at it says what to wait for', async () => {
  const { url } = await conversationOf(1000)
  const store = postgresStore(url)
  const chat = await agentOn(store).open('long')
  const unread = expect.objectContaining({ code: 'history.unread' })
  expect(chat.head).toBe('m1000')
  expect(() => chat.messages).toThrow(unread)
  expect(() => chat.tree).toThrow(unread)
  expect(() => chat.fork('m5')).toThrow(unread)
  expect(chat.fork('m999').head).toBe('m999')
  await chat.load()
  expect(chat.messages.map(({ id }) => id)).toEqual(chat.tree.map(({ id }) => id))
  expect(chat.tree).toHaveLength(1000)
  expect(() => chat.fork('nowhere')).toThrow(expect.objectContaining({ code: 'message.missing' }))
  await store.close()
})

test('a turn on a conversation of which only the end is in memory has all of it', async () => {
  const { url } = await conversationOf(1000)
  const store = postgresStore(url)
  const model = scriptedModel(['Yes.'])
  const chat = await createAgent({ model, store }).open('long')
  await chat.send('And?')
  expect(model.prompts[0]?.messages).toHaveLength(1001)
  expect(chat.messages).toHaveLength(1002)
  await store.close()
})

test('what was read as a whole stays whole when another process has written', async () => {
  const { url } = await conversationOf(1000)
  const [here, there] = [postgresStore(url), postgresStore(url)]
  const chat = await agentOn(here).open('long')
  await chat.load()
  await (await agentOn(there).open('long')).send('And?')
  await chat.fork('m4').send('Otherwise.')
  chat.title = 'Long'
  expect(chat.tree).toHaveLength(1004)
  await Promise.all([here.close(), there.close()])
})
