const common: readonly (readonly string[])[] = [
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

/** A turn is one row in one tree, and only open turns are in an index: a turn's begin and end change two pages each. */
const turnsLeft = `CREATE INDEX turns_left ON turns (conversation) WHERE status = 'open'`
const openTurns = {
  sqlite: [
    `CREATE TABLE turns_of (conversation TEXT NOT NULL, id TEXT NOT NULL, status TEXT NOT NULL, started_at DOUBLE PRECISION NOT NULL,
      n INTEGER NOT NULL, last INTEGER, PRIMARY KEY (conversation, id)) WITHOUT ROWID`,
    `INSERT INTO turns_of (conversation, id, status, started_at, n, last) SELECT conversation, id, status, started_at, n, last FROM turns`,
    `DROP TABLE turns`,
    `ALTER TABLE turns_of RENAME TO turns`,
    turnsLeft,
  ],
  postgres: [`DROP INDEX turns_open`, `DROP INDEX turns_status`, turnsLeft],
} as const

const columns = `title, owner, head, seq, n, created_at, updated_at, input_tokens, output_tokens, cost, fence, holder, lease_until`

/** Gives each conversation a number. */
const numbered = {
  sqlite: [
    `CREATE TABLE conversations_of (c INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT, owner TEXT, head TEXT, seq INTEGER NOT NULL,
      n INTEGER NOT NULL, created_at DOUBLE PRECISION NOT NULL, updated_at DOUBLE PRECISION NOT NULL, input_tokens INTEGER NOT NULL DEFAULT 0,
      output_tokens INTEGER NOT NULL DEFAULT 0, cost DOUBLE PRECISION DEFAULT 0, fence INTEGER NOT NULL, holder TEXT, lease_until DOUBLE PRECISION NOT NULL)`,
    `INSERT INTO conversations_of (id, ${columns}) SELECT id, ${columns} FROM conversations ORDER BY rowid`,
    `DROP TABLE conversations`,
    `ALTER TABLE conversations_of RENAME TO conversations`,
  ],
  postgres: [`ALTER TABLE conversations ADD COLUMN c INTEGER GENERATED BY DEFAULT AS IDENTITY UNIQUE`],
} as const

/**
 * Records and messages by the number of their conversation: what comes last is last in its index too, so that a commit
 * changes few pages. Events need no index of their own: their numbers grow with their places. The first record of a log
 * names its conversation, so that it can be told whose it is when the rest of a damaged file is lost; the others have an
 * empty name, and in older files the same. The text that is searched
 * is in lower case: databases differ in what they think that is.
 */
const byNumber: readonly string[] = [
  `CREATE TABLE records_of (c INTEGER NOT NULL, n INTEGER NOT NULL, conversation TEXT NOT NULL, seq INTEGER, turn TEXT, type TEXT NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (c, n))`,
  `INSERT INTO records_of (c, n, conversation, seq, turn, type, body)
    SELECT c, records.n, conversation, records.seq, turn, type, body FROM records JOIN conversations ON id = conversation ORDER BY c, records.n`,
  `DROP TABLE records`,
  `ALTER TABLE records_of RENAME TO records`,
  `CREATE INDEX records_raw ON records (c, turn) WHERE type = 'note.raw'`,
  `CREATE TABLE nodes_of (c INTEGER NOT NULL, id TEXT NOT NULL, parent TEXT, depth INTEGER NOT NULL, turn TEXT, at DOUBLE PRECISION NOT NULL,
    message TEXT NOT NULL, usage TEXT, state TEXT, hidden INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL, n INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (c, id))`,
  `INSERT INTO nodes_of (c, id, parent, depth, turn, at, message, usage, state, hidden, body, n)
    SELECT c, nodes.id, parent, depth, turn, at, message, usage, state, hidden, LOWER(body), nodes.n
    FROM nodes JOIN conversations ON conversations.id = conversation ORDER BY c, nodes.n`,
  `DROP TABLE nodes`,
  `ALTER TABLE nodes_of RENAME TO nodes`,
]

/** Sums of any size, also of a model that counts in halves. SQLite's columns take what they are given. */
const anySum: readonly string[] = ['input_tokens', 'output_tokens'].map(
  column => `ALTER TABLE conversations ALTER COLUMN ${column} TYPE DOUBLE PRECISION`,
)

/** SQL that reads an id of the first version up to its first dot, and a member of a record's body (null where that is damaged). */
interface Dialect {
  readonly beforeDot: string
  member(name: string): string
}
const sqlite: Dialect = {
  beforeDot: `substr(id, 1, instr(id, '.') - 1)`,
  member: name => `CASE WHEN json_valid(body) THEN json_extract(body, '$.${name}') END`,
}
/** PostgreSQL refuses JSON with a zero character or half a character in any member. */
const postgres: Dialect = {
  beforeDot: `split_part(id, '.', 1)`,
  member: name => `(regexp_replace(body, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\u0020', 'gi')::json ->> '${name}')`,
}

/**
 * Facts that only ids had told are columns: the turn that a sub-agent's conversation works for, and the conversation of a closed
 * request, whose row stays. Earlier rows get them once, here: from the conversation's id, and from the events of the log.
 */
const factsOfRows = ({ beforeDot, member }: Dialect): readonly string[] => [
  `ALTER TABLE conversations ADD COLUMN caller TEXT`,
  `UPDATE conversations SET caller = ${beforeDot} WHERE id LIKE 'turn\\_%.%' ESCAPE '\\'`,
  `ALTER TABLE requests ADD COLUMN closed INTEGER NOT NULL DEFAULT 0`,
  `INSERT INTO requests (conversation, id, turn, kind, payload, opened_at, n, closed)
    SELECT conversation, ${member('requestId')}, turn, COALESCE(${member('kind')}, ''), 'null',
      COALESCE(CAST(${member('at')} AS DOUBLE PRECISION), 0), n, 1
    FROM records WHERE type = 'request.opened' AND ${member('requestId')} IS NOT NULL
    ON CONFLICT (conversation, id) DO NOTHING`,
]

/** Each entry brings the schema one version further. */
export const sqlMigrations: Readonly<Record<'sqlite' | 'postgres', readonly (readonly string[])[]>> = {
  sqlite: [...common, [...numbered.sqlite, ...byNumber], factsOfRows(sqlite), openTurns.sqlite],
  postgres: [...common, [...numbered.postgres, ...byNumber], anySum, factsOfRows(postgres), openTurns.postgres],
}
