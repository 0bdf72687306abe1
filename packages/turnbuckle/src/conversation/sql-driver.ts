import { TurnbuckleError } from '../core/errors.ts'
import type { Message } from '../core/message.ts'
import type { Usage } from '../core/ports.ts'
import type {
  Commit,
  ConversationRow,
  Driver,
  LogRecord,
  Maybe,
  NodeRow,
  Place,
  RequestRow,
  TurnRow,
} from './driver.ts'
import { changesOf } from './project.ts'
import { applyChange, ofTurn } from './sql-changes.ts'

export type Row = Readonly<Record<string, unknown>>
/** A step of a piece of work: a query, and its rows in return. */
export type Work<Result> = Generator<readonly [sql: string, params?: readonly unknown[]], Result, readonly Row[]>

/** What a database must do: drive a piece of work, at once or asynchronously, in a transaction or not. */
export interface Executor {
  query<Result>(work: () => Work<Result>): Maybe<Result>
  transaction<Result>(work: () => Work<Result>): Maybe<Result>
  /** Whether the process behind a holder may still be running. */
  isAlive(holder: string): boolean
  close(): Maybe<void>
}

/** Each entry brings the schema one version further. */
export const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE conversations (id TEXT PRIMARY KEY, title TEXT, owner TEXT, head TEXT, seq INTEGER NOT NULL, n INTEGER NOT NULL,
      created_at DOUBLE PRECISION NOT NULL, updated_at DOUBLE PRECISION NOT NULL, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
      cost DOUBLE PRECISION DEFAULT 0, fence INTEGER NOT NULL, holder TEXT, lease_until DOUBLE PRECISION NOT NULL)`,
    `CREATE TABLE records (conversation TEXT NOT NULL, n INTEGER NOT NULL, seq INTEGER, turn TEXT, type TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (conversation, n))`,
    `CREATE UNIQUE INDEX records_seq ON records (conversation, seq)`,
    `CREATE INDEX records_turn ON records (turn)`,
    `CREATE TABLE nodes (conversation TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, depth INTEGER NOT NULL, turn TEXT, at DOUBLE PRECISION NOT NULL,
      message TEXT NOT NULL, usage TEXT, state TEXT, hidden INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL, PRIMARY KEY (conversation, id))`,
    `CREATE TABLE turns (id TEXT PRIMARY KEY, conversation TEXT NOT NULL, status TEXT NOT NULL, started_at DOUBLE PRECISION NOT NULL)`,
    `CREATE INDEX turns_conversation ON turns (conversation)`,
    `CREATE INDEX turns_status ON turns (status)`,
    `CREATE TABLE states (conversation TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (conversation, name))`,
    `CREATE TABLE requests (id TEXT PRIMARY KEY, conversation TEXT NOT NULL, turn TEXT, kind TEXT NOT NULL, payload TEXT NOT NULL, opened_at DOUBLE PRECISION NOT NULL, deadline DOUBLE PRECISION)`,
    `CREATE TABLE entries (space TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, expires_at DOUBLE PRECISION, PRIMARY KEY (space, name))`,
  ],
  // Messages in the order they came, also those of one millisecond.
  [`ALTER TABLE nodes ADD COLUMN n INTEGER NOT NULL DEFAULT 0`],
  // Ids of turns and requests are their conversation's own; `n` orders those of one moment.
  [
    `CREATE TABLE turns_of (conversation TEXT NOT NULL, id TEXT NOT NULL, status TEXT NOT NULL, started_at DOUBLE PRECISION NOT NULL,
      n INTEGER NOT NULL, PRIMARY KEY (conversation, id))`,
    `INSERT INTO turns_of (conversation, id, status, started_at, n) SELECT conversation, id, status, started_at,
      COALESCE((SELECT MIN(n) FROM records WHERE records.conversation = turns.conversation AND records.turn = turns.id), 0) FROM turns`,
    `DROP TABLE turns`,
    `ALTER TABLE turns_of RENAME TO turns`,
    `CREATE INDEX turns_open ON turns (conversation, status)`,
    `CREATE INDEX turns_status ON turns (status)`,
    `CREATE TABLE requests_of (conversation TEXT NOT NULL, id TEXT NOT NULL, turn TEXT, kind TEXT NOT NULL, payload TEXT NOT NULL,
      opened_at DOUBLE PRECISION NOT NULL, deadline DOUBLE PRECISION, n INTEGER NOT NULL, PRIMARY KEY (conversation, id))`,
    `INSERT INTO requests_of (conversation, id, turn, kind, payload, opened_at, deadline, n)
      SELECT conversation, id, turn, kind, payload, opened_at, deadline, 0 FROM requests`,
    `DROP TABLE requests`,
    `ALTER TABLE requests_of RENAME TO requests`,
    `DROP INDEX records_turn`,
    `CREATE INDEX records_turn ON records (conversation, turn)`,
  ],
  // Each index is one more page to sync with a commit. A turn's records lie between its first and its last; private
  // notes have no number; of raw results there are few at a time.
  [
    `ALTER TABLE turns ADD COLUMN last INTEGER`,
    `DROP INDEX records_turn`,
    `DROP INDEX records_seq`,
    `CREATE UNIQUE INDEX records_seq ON records (conversation, seq) WHERE seq IS NOT NULL`,
    `CREATE INDEX records_raw ON records (conversation, turn) WHERE type = 'note.raw'`,
  ],
]

const some = <Value>(value: Value | null | undefined): Value | undefined => value ?? undefined
const json = (value: unknown): unknown =>
  value === null || value === undefined ? undefined : JSON.parse(value as string)

/** A store on any SQL database that has transactions, upserts and recursive queries. */
export class SqlDriver implements Driver {
  readonly #db: Executor

  constructor(db: Executor) {
    this.#db = db
  }

  commit(commit: Commit): Maybe<{ readonly fence: number; readonly n: number }> {
    const db = this.#db
    return db.transaction(() => write(commit, db))
  }

  renew(id: string, holder: string, fence: number, leaseMs: number): Maybe<boolean> {
    return this.#db.transaction(function* () {
      const [row] = yield ['SELECT fence FROM conversations WHERE id = ?', [id]]
      if (row?.['fence'] !== fence) return false
      yield ['UPDATE conversations SET lease_until = ?, holder = ? WHERE id = ?', [Date.now() + leaseMs, holder, id]]
      return true
    })
  }

  conversation(id: string): Maybe<ConversationRow | undefined> {
    return this.#db.query(function* () {
      const [row] = yield ['SELECT * FROM conversations WHERE id = ?', [id]]
      return row && conversationRow(row)
    })
  }

  path(conversation: string, tip: string, limit: number = 2 ** 31 - 1): Maybe<readonly NodeRow[]> {
    return this.#db.query(function* () {
      const rows = yield [
        // CROSS JOIN: SQLite goes from the path to its messages, and not through all of them to see which are on it.
        `WITH RECURSIVE path AS (
           SELECT nodes.*, 1 AS k FROM nodes WHERE conversation = ? AND id = ?
           UNION ALL SELECT nodes.*, k + 1 FROM path CROSS JOIN nodes
           WHERE nodes.conversation = path.conversation AND nodes.id = path.parent AND k < ?)
         SELECT * FROM path ORDER BY k DESC`,
        [conversation, tip, limit],
      ]
      return rows.map(nodeRow)
    })
  }

  nodes(conversation: string): Maybe<readonly NodeRow[]> {
    return this.#all('SELECT * FROM nodes WHERE conversation = ? ORDER BY n, at, depth, id', [conversation], nodeRow)
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
    const select = 'SELECT * FROM records WHERE conversation = ? AND'
    if (turn === undefined)
      return this.#all(`${select} seq > ? ORDER BY seq LIMIT ?`, [conversation, after ?? 0, limit], logRecord)
    const params = [conversation, turn, conversation, turn, conversation, turn, limit]
    return this.#all(`${select} turn = ? AND ${ofTurn} ORDER BY n LIMIT ?`, params, logRecord)
  }

  turns(where: {
    readonly conversation?: string
    readonly id?: string
    readonly status?: string
  }): Maybe<readonly TurnRow[]> {
    const [sql, params] = filter('turns', where, 'started_at, n')
    return this.#all(sql, params, row => ({
      id: row['id'] as string,
      conversation: row['conversation'] as string,
      status: row['status'] as string,
      startedAt: Number(row['started_at']),
    }))
  }

  requests(where: { readonly conversation?: string; readonly id?: string }): Maybe<readonly RequestRow[]> {
    const [sql, params] = filter('requests', where, 'opened_at, n')
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

  list({
    limit,
    before,
    owner,
  }: {
    readonly limit: number
    readonly before?: Place | undefined
    readonly owner?: string | undefined
  }): Maybe<readonly ConversationRow[]> {
    const conditions = ['1 = 1']
    const params: unknown[] = []
    if (before) {
      conditions.push('(updated_at < ? OR (updated_at = ? AND id > ?))')
      params.push(before.updatedAt, before.updatedAt, before.id)
    }
    if (owner !== undefined) {
      conditions.push('owner = ?')
      params.push(owner)
    }
    const sql = `SELECT * FROM conversations WHERE ${conditions.join(' AND ')} ORDER BY updated_at DESC, id LIMIT ?`
    return this.#all(sql, [...params, limit], conversationRow)
  }

  search({
    text,
    limit,
    owner,
  }: {
    readonly text: string
    readonly limit: number
    readonly owner?: string | undefined
  }): Maybe<readonly { readonly conversation: string; readonly node: NodeRow }[]> {
    const own = owner === undefined ? '' : 'AND conversations.owner = ?'
    const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    const sql = `SELECT nodes.* FROM nodes JOIN conversations ON conversations.id = nodes.conversation
      WHERE hidden = 0 AND LOWER(body) LIKE ? ESCAPE '\\' ${own} ORDER BY at DESC LIMIT ?`
    const params = owner === undefined ? [pattern, limit] : [pattern, owner, limit]
    return this.#all(sql, params, row => ({ conversation: row['conversation'] as string, node: nodeRow(row) }))
  }

  delete(conversation: string): Maybe<void> {
    return this.#db.transaction(function* () {
      for (const table of ['records', 'nodes', 'turns', 'states', 'requests'])
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
  set(space: string, key: string, value: unknown, expiresAt?: number): Maybe<void> {
    if (value === undefined) return this.#run('DELETE FROM entries WHERE space = ? AND name = ?', [space, key])
    return this.#run(
      'INSERT INTO entries (space, name, value, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (space, name) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at',
      [space, key, JSON.stringify(value), expiresAt ?? null],
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
  #run(sql: string, params: readonly unknown[]): Maybe<void> {
    return this.#db.transaction(function* () {
      yield [sql, params]
    })
  }
}

function filter(table: string, where: Readonly<Record<string, string | undefined>>, order: string): [string, string[]] {
  const given = Object.entries(where).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const conditions = given.map(([column]) => `${column} = ?`).join(' AND ') || '1 = 1'
  return [`SELECT * FROM ${table} WHERE ${conditions} ORDER BY ${order}`, given.map(([, value]) => value)]
}

/** Appends records, keeps the tables up to date, and sees to it that there is one writer. */
function* write(commit: Commit, db: Executor): Work<{ fence: number; n: number }> {
  const { conversation, holder, records, release, head, owner } = commit
  const now = Date.now()
  const [row] = yield [
    'SELECT fence, holder, lease_until, seq, n, head FROM conversations WHERE id = ?',
    [conversation],
  ]
  const fence = admit(commit, row, now, db)
  if (!row)
    yield [
      'INSERT INTO conversations (id, owner, seq, n, created_at, updated_at, fence, lease_until) VALUES (?, ?, 0, 0, ?, ?, 0, 0)',
      [conversation, owner ?? null, now, now],
    ]
  const before = Number(row?.['n'] ?? 0)
  const n = before + records.length
  let seq = Number(row?.['seq'] ?? 0)
  for (const record of records) if (record.seq !== undefined) seq = nextSeq(seq, record.seq, conversation)
  yield* insertRecords(conversation, before, records)
  for (const [i, record] of records.entries())
    for (const change of changesOf(record.type, record.body, record.turn))
      yield* applyChange(conversation, before + i + 1, change)
  yield [
    'UPDATE conversations SET seq = ?, n = ?, head = ?, updated_at = ?, fence = ?, holder = ?, lease_until = ? WHERE id = ?',
    [
      seq,
      n,
      head ?? some(row?.['head']) ?? null,
      now,
      fence,
      release ? null : holder,
      release ? 0 : now + commit.leaseMs,
      conversation,
    ],
  ]
  return { fence, n }
}

/** Many in one statement: each costs a way to the database and back. */
function* insertRecords(conversation: string, before: number, records: Commit['records']): Work<void> {
  for (let from = 0; from < records.length; from += 50) {
    const some = records.slice(from, from + 50)
    const rows = some.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')
    yield [
      `INSERT INTO records (conversation, n, seq, turn, type, body) VALUES ${rows}`,
      some.flatMap(({ seq, turn, type, body }, i) => [
        conversation,
        before + from + i + 1,
        seq ?? null,
        turn ?? null,
        type,
        JSON.stringify(body),
      ]),
    ]
  }
}

function nextSeq(last: number, seq: number, conversation: string): number {
  if (seq === last + 1) return seq
  throw new TurnbuckleError(
    'store.conflict',
    `The log of "${conversation}" is at event ${last}; event ${seq} does not follow it.`,
    { kind: 'store' },
  )
}

/** The fencing token under which this commit may go through. */
function admit({ conversation, holder, fence }: Commit, row: Row | undefined, now: number, db: Executor): number {
  const current = Number(row?.['fence'] ?? 0)
  if (fence !== undefined) {
    if (current === fence) return fence
    throw new TurnbuckleError(
      'store.fenced',
      `Another process has taken over the conversation "${conversation}". This one may not write to it any more.`,
      { kind: 'store' },
    )
  }
  const held = row?.['holder'] as string | null | undefined
  if (held && held !== holder && Number(row?.['lease_until']) > now && db.isAlive(held))
    throw new TurnbuckleError(
      'conversation.locked',
      `Another process (${held}) is working on the conversation "${conversation}". Wait for it, or fork.`,
      { kind: 'store' },
    )
  return current + 1
}

const conversationRow = (row: Row): ConversationRow => ({
  id: row['id'] as string,
  title: some(row['title'] as string | null),
  owner: some(row['owner'] as string | null),
  head: some(row['head'] as string | null),
  seq: Number(row['seq']),
  n: Number(row['n']),
  createdAt: Number(row['created_at']),
  updatedAt: Number(row['updated_at']),
  usage: {
    inputTokens: Number(row['input_tokens']),
    outputTokens: Number(row['output_tokens']),
    ...(row['cost'] === null ? {} : { cost: Number(row['cost']) }),
  },
})

const nodeRow = (row: Row): NodeRow => ({
  id: row['id'] as string,
  parent: some(row['parent'] as string | null),
  depth: Number(row['depth']),
  turn: some(row['turn'] as string | null),
  at: Number(row['at']),
  message: json(row['message']) as Message,
  usage: json(row['usage']) as Usage | undefined,
  state: json(row['state']) as NodeRow['state'],
  hidden: Number(row['hidden']) === 1,
})

const logRecord = (row: Row): LogRecord => ({
  n: Number(row['n']),
  seq: row['seq'] === null ? undefined : Number(row['seq']),
  turn: some(row['turn'] as string | null),
  type: row['type'] as string,
  body: json(row['body']) as LogRecord['body'],
})
