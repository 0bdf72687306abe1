import type { Channel } from '../channel/channel.ts'
import type {
  Commit,
  Committed,
  ConversationRow,
  Driver,
  Hit,
  ListAsked,
  LogRecord,
  Maybe,
  NodeRow,
  RequestRow,
  RequestsAsked,
  SearchAsked,
  TurnRow,
  TurnsAsked,
} from '../stores/driver.ts'
import { andThen } from '../stores/driver.ts'
import { ofTurn } from './apply-change.ts'
import type { Executor, Row } from './executor.ts'
import { contiguous, conversationRow, json, logRecord, nodeRow } from './sql-rows.ts'
import { canWriteUnread, holderOf, type KnownPlace, writeCommit, writeUnread } from './write-commit.ts'

/** Rows of one conversation. Parameter: the conversation's id. */
const of = 'c = (SELECT c FROM conversations WHERE id = ?)'

/**
 * The numbers of events grow with their places: where to begin is found in ever smaller steps, and not by an index that
 * each commit would have to keep. Parameters: conversation and sequence number, twice, and the limit.
 */
const eventsAfter = `WITH RECURSIVE before (place, step) AS (
    SELECT 0, 1073741824
    UNION ALL SELECT CASE WHEN (SELECT seq FROM records WHERE ${of} AND n > place + step AND seq IS NOT NULL
      ORDER BY n LIMIT 1) <= ? THEN place + step ELSE place END, step / 2 FROM before WHERE step > 32)
  SELECT * FROM records WHERE ${of} AND n > (SELECT MAX(place) FROM before) AND seq > ? ORDER BY n LIMIT ?`

/** A store on any SQL database that has transactions, upserts and recursive queries. */
export class SqlDriver implements Driver {
  readonly #db: Executor
  /** Conversations that this process writes to. */
  readonly #places = new Map<string, KnownPlace>()

  constructor(db: Executor) {
    this.#db = db
  }
  get channel(): Channel | undefined {
    return this.#db.channel
  }

  commit(commit: Commit): Maybe<Committed> {
    const { unsynced, fence } = commit
    const db = this.#db
    const place = this.#places.get(commit.conversation)
    const known = place?.fence === fence ? place : undefined
    if (known && db.isElsewhere && canWriteUnread(commit)) return this.#commitUnread(commit, known)
    const options = { unsynced, alone: fence === undefined }
    return andThen(
      db.transaction(() => writeCommit(commit, db, db.isElsewhere ? undefined : known), options),
      place => this.#remember(commit, place),
    )
  }
  async #commitUnread(commit: Commit, known: KnownPlace): Promise<Committed> {
    const { unsynced, conversation } = commit
    try {
      return this.#remember(
        commit,
        await this.#db.transaction(() => writeUnread(commit, known, this.#db), { unsynced }),
      )
    } catch (error) {
      // A commit that was cut off may have arrived, and is not repeated; any other is, so that its refusal is told.
      this.#places.delete(conversation)
      if ((error as { readonly code?: string }).code === 'store.unreachable') throw error
      return this.commit(commit)
    }
  }
  #remember({ conversation, release }: Commit, place: KnownPlace): Committed {
    if (!release) this.#places.set(conversation, place)
    else this.#places.delete(conversation)
    return { fence: place.fence, n: place.n, createdAt: place.createdAt }
  }

  renew(id: string, holder: string, fence: number, leaseMs: number): Maybe<boolean> {
    const [now, time = []] = this.#db.now()
    return this.#db.transaction(
      function* () {
        const [row] = yield [
          `UPDATE conversations SET lease_until = ${now} + ? WHERE id = ? AND fence = ? AND holder = ? RETURNING fence`,
          [...time, leaseMs, id, fence, holder],
        ]
        return row !== undefined
      },
      { unsynced: true },
    )
  }

  conversation(id: string): Maybe<ConversationRow | undefined> {
    const db = this.#db
    return db.query(function* () {
      const [now, time = []] = db.now()
      const [row] = yield [`SELECT *, ${now} AS now FROM conversations WHERE id = ?`, [...time, id]]
      return row && { ...conversationRow(row), held: holderOf(row, db) !== undefined }
    })
  }

  path(conversation: string, tip: string, limit: number = 2 ** 31 - 1): Maybe<readonly NodeRow[]> {
    return this.#db.query(function* () {
      const rows = yield [
        // CROSS JOIN: SQLite goes from the path to its messages, and not through all of them to see which are on it.
        `WITH RECURSIVE path AS (
           SELECT nodes.*, 1 AS k FROM nodes WHERE ${of} AND id = ?
           UNION ALL SELECT nodes.*, k + 1 FROM path CROSS JOIN nodes
           WHERE nodes.c = path.c AND nodes.id = path.parent AND nodes.depth < path.depth AND k < ?)
         SELECT * FROM path ORDER BY k DESC`,
        [conversation, tip, limit],
      ]
      return rows.map(nodeRow)
    })
  }

  nodes(conversation: string): Maybe<readonly NodeRow[]> {
    const sql = `SELECT * FROM nodes WHERE ${of} ORDER BY n, at, depth, id`
    return this.#all(sql, [conversation], nodeRow)
  }

  states(conversation: string): Maybe<Readonly<Record<string, unknown>>> {
    return this.#db.query(function* () {
      const rows = yield ['SELECT name, value FROM states WHERE conversation = ?', [conversation]]
      return Object.fromEntries(rows.map(({ name, value }) => [name, json(value)]))
    })
  }

  records(
    conversation: string,
    { turn, after, limit = 1_000_000 }: { readonly turn?: string; readonly after?: number; readonly limit?: number },
  ): Maybe<readonly LogRecord[]> {
    if (turn === undefined) return this.#events(conversation, after ?? 0, limit)
    const params = [conversation, turn, conversation, turn, conversation, turn, limit]
    return this.#all(
      `SELECT * FROM records WHERE ${of} AND turn = ? AND ${ofTurn} ORDER BY n LIMIT ?`,
      params,
      logRecord,
    )
  }

  /** Events after a number. Throws `store.damaged` when one is missing, up to the last that the conversation has. */
  #events(conversation: string, after: number, limit: number): Maybe<readonly LogRecord[]> {
    const lastOf = ['SELECT seq FROM conversations WHERE id = ?', [conversation]] as const
    return this.#db.query(function* () {
      const [before] = yield lastOf
      const rows = yield [eventsAfter, [conversation, after, conversation, after, limit]]
      // No events, and no conversation any more: it was deleted between the two queries, which is no damage.
      const [row] = rows.length ? [before] : yield lastOf
      const last = row ? Math.min(Number(before?.['seq']), after + limit) : 0
      return contiguous(rows.map(logRecord), after, last)
    })
  }

  turns(where: TurnsAsked): Maybe<readonly TurnRow[]> {
    const [sql, params] = filter('turns', { ...where }, 'started_at, n')
    return this.#all(sql, params, row => ({
      id: row['id'] as string,
      conversation: row['conversation'] as string,
      status: row['status'] as string,
      startedAt: Number(row['started_at']),
    }))
  }

  requests({ closed = false, ...where }: RequestsAsked): Maybe<readonly RequestRow[]> {
    const [sql, params] = filter('requests', where, 'opened_at, n', `closed = ${Number(closed)}`)
    return this.#all(sql, params, row => ({
      id: row['id'] as string,
      conversation: row['conversation'] as string,
      turn: row['turn'] as string,
      kind: row['kind'] as string,
      payload: json(row['payload']),
      openedAt: Number(row['opened_at']),
      deadline: row['deadline'] === null ? undefined : Number(row['deadline']),
    }))
  }

  list({ limit, before, owner }: ListAsked): Maybe<readonly ConversationRow[]> {
    const conditions = ['1 = 1']
    const params: unknown[] = []
    if (before) {
      conditions.push('updated_at <= ? AND (updated_at < ? OR id > ?)')
      params.push(before.updatedAt, before.updatedAt, before.id)
    }
    if (owner !== undefined) {
      conditions.push('owner = ?')
      params.push(owner)
    }
    const order = 'ORDER BY updated_at DESC, id'
    // Only the rows that are given are read whole: the rest are gone through by their time.
    const sql = `SELECT * FROM conversations WHERE c IN
      (SELECT c FROM conversations WHERE ${conditions.join(' AND ')} ${order} LIMIT ?) ${order}`
    return this.#all(sql, [...params, limit], conversationRow)
  }

  search({ text, limit, owner }: SearchAsked): Maybe<readonly Hit[]> {
    const own = owner === undefined ? '' : 'AND c IN (SELECT c FROM conversations WHERE owner = ?)'
    const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    // Only the messages that are given are sorted with all they have, and with the id of their conversation.
    const sql = `SELECT nodes.*, conversations.id AS conversation FROM (
        SELECT c, id FROM nodes WHERE hidden = 0 AND body LIKE ? ESCAPE '\\' ${own} ORDER BY at DESC LIMIT ?) AS hits
      JOIN nodes ON nodes.c = hits.c AND nodes.id = hits.id JOIN conversations ON conversations.c = hits.c
      ORDER BY nodes.at DESC`
    const params = owner === undefined ? [pattern, limit] : [pattern, owner, limit]
    return this.#all(sql, params, row => ({ conversation: row['conversation'] as string, node: nodeRow(row) }))
  }

  delete(conversation: string): Maybe<void> {
    this.#places.delete(conversation)
    return this.#db.transaction(function* () {
      for (const table of ['records', 'nodes']) yield [`DELETE FROM ${table} WHERE ${of}`, [conversation]]
      for (const table of ['turns', 'states', 'requests'])
        yield [`DELETE FROM ${table} WHERE conversation = ?`, [conversation]]
      yield ['DELETE FROM conversations WHERE id = ?', [conversation]]
    })
  }

  get(space: string, key: string): Maybe<unknown> {
    return this.#db.query(function* () {
      const [row] = yield ['SELECT value, expires_at FROM entries WHERE space = ? AND name = ?', [space, key]]
      return row && (row['expires_at'] === null || Number(row['expires_at']) > Date.now())
        ? json(row['value'])
        : undefined
    })
  }
  set(space: string, key: string, value: unknown, expiresAt?: number, unsynced?: boolean): Maybe<void> {
    return this.setJson(space, key, value === undefined ? undefined : JSON.stringify(value), expiresAt, unsynced)
  }
  /** As `set`, with the value's JSON. */
  setJson(space: string, key: string, json?: string, expiresAt?: number, unsynced?: boolean): Maybe<void> {
    if (json === undefined) return this.#run('DELETE FROM entries WHERE space = ? AND name = ?', [space, key], unsynced)
    return this.#run(
      'INSERT INTO entries (space, name, value, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (space, name) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at',
      [space, key, json, expiresAt ?? null],
      unsynced,
    )
  }
  entries(space: string): Maybe<readonly (readonly [string, unknown])[]> {
    const sql =
      'SELECT name, value FROM entries WHERE space = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY name'
    return this.#all(sql, [space, Date.now()], row => [row['name'] as string, json(row['value'])] as const)
  }

  close(): Maybe<void> {
    return this.#db.close()
  }

  #all<Result>(sql: string, params: readonly unknown[], read: (row: Row) => Result): Maybe<readonly Result[]> {
    return this.#db.query(function* () {
      return (yield [sql, params]).map(read)
    })
  }
  #run(sql: string, params: readonly unknown[], unsynced?: boolean): Maybe<void> {
    return this.#db.transaction(
      function* () {
        yield [sql, params]
      },
      { unsynced },
    )
  }
}

function filter(
  table: string,
  where: Readonly<Record<string, string | undefined>>,
  order: string,
  always = '1 = 1',
): [string, string[]] {
  const given = Object.entries(where).filter((entry): entry is [string, string] => entry[1] !== undefined)
  // In words and not as a parameter, so that the index of open turns serves.
  const isOpen = (column: string, value: string) => column === 'status' && value === 'open'
  const conditions = given.map(([column, value]) => (isOpen(column, value) ? `status = 'open'` : `${column} = ?`))
  const params = given.filter(([column, value]) => !isOpen(column, value)).map(([, value]) => value)
  return [`SELECT * FROM ${table} WHERE ${[always, ...conditions].join(' AND ')} ORDER BY ${order}`, params]
}
