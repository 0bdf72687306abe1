import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A word that only one conversation has, and one that all have. */
export const WORDS = { rare: 'saying conv-77 twice', common: 'everyday' }

/** Makes a database with `count` conversations of one turn each, as a server leaves them. */
export async function fillStore(path, count) {
  const { sqliteStore } = await import(
    pathToFileURL(join(process.env.TURNBUCKLE_BENCH_COPY, 'node_modules/turnbuckle/dist/stores.js')).href
  )
  const store = sqliteStore(path)
  await oneConversation(store)
  await store.close()
  const database = openDatabase(path)
  database.exec('PRAGMA synchronous = OFF')
  database.exec('BEGIN')
  for (const [table, made] of Object.entries(COPIES)) copyRows(database, table, made, count)
  database.exec('COMMIT')
  database.close()
}

async function oneConversation(store) {
  const message = (id, role, text) => ({ id, role, content: [{ type: 'text', text }] })
  const asked = message('m1', 'user', 'A question of everyday life, saying conv- twice.')
  const answered = message('m2', 'assistant', `${'An answer that is a few lines long. '.repeat(8)}saying conv- twice`)
  const added = (seq, at, of, parentId) => ({
    seq,
    turn: 't',
    type: 'message.added',
    body: { at, messageId: of.id, parentId, role: of.role, message: of },
  })
  const records = [
    { seq: 1, turn: 't', type: 'turn.started', body: { at: 1 } },
    added(2, 2, asked, undefined),
    added(3, 3, answered, 'm1'),
    { seq: 4, turn: 't', type: 'turn.completed', body: { at: 4, outcome: 'completed' } },
  ]
  const conversation = 'conv'
  await store.driver.commit({ conversation, holder: 'bench', leaseMs: 0, release: true, records, head: 'm2' })
  await store.set('server.conversations', conversation, { owner: 'me', createdAt: 1, said: 'A question' })
}

/** How the columns of a copy differ from those of the first conversation; `i` is the copy's number. */
const words = column => `replace(${column}, 'conv-', 'conv-' || i)`
const COPIES = {
  conversations: { c: 'c + i', id: `id || '-' || i`, updated_at: 'updated_at + i' },
  records: { c: 'c + i', conversation: `conversation || '-' || i`, body: words('body') },
  nodes: { c: 'c + i', body: words('body'), message: words('message'), at: 'at + i' },
  turns: { conversation: `conversation || '-' || i` },
  entries: { name: `name || '-' || i` },
}

function copyRows(database, table, made, count) {
  const columns = database
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)
  const values = columns.map(name => made[name] ?? name)
  database.exec(`INSERT INTO ${table} (${columns.join(', ')})
    WITH RECURSIVE copies (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM copies WHERE i < ${count - 1})
    SELECT ${values.join(', ')} FROM copies CROSS JOIN (SELECT * FROM ${table})`)
}

/** The driver that the store uses. */
export function openDatabase(path) {
  const require = createRequire(import.meta.url)
  let Database
  try {
    Database = require('node:sqlite').DatabaseSync
  } catch {
    Database = require('libsql')
  }
  return new Database(path)
}
