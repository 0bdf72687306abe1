import type { Commit } from '../stores/driver.ts'
import { conflict, fenced, locked } from '../stores/refusals.ts'
import { applyChange, type Target } from './apply-change.ts'
import { type Change, changesOf, isCheckpoint } from './changes-of.ts'
import type { Executor, Row, Work } from './executor.ts'

/** Appends the records of a commit and brings the tables up to date. Refuses a second writer and wrong event numbers. */
export function* writeCommit(commit: Commit, db: Executor): Work<{ fence: number; n: number }> {
  const { conversation, records } = commit
  const now = Date.now()
  const fence = commit.fence ?? (yield* becomeWriter(commit, now, db))
  const row = yield* advance(commit, fence, now)
  const n = Number(row['n'])
  const before = n - records.length
  const target: Target = { conversation, c: Number(row['c']), hasRaw: Boolean(row['raw']) }
  const changes = records.map(({ type, body, turn }) => changesOf(type, body, turn))
  yield* insertRecords(target, before, records, erasedAtOnce(changes))
  for (let i = 0; i < changes.length; i++)
    for (const change of changes[i] as Change[]) yield* applyChange(target, before + i + 1, change)
  return { fence, n }
}

/** The holder of a conversation whose lease has not run out and whose process may be alive. */
export function holderOf(row: Row, now: number, db: Executor): string | undefined {
  const holder = row['holder'] as string | null
  return holder && Number(row['lease_until']) > now && db.isAlive(holder) ? holder : undefined
}

/** Gives a new fencing token. Throws `conversation.locked` while another holder has the conversation. */
function* becomeWriter({ conversation, holder, owner }: Commit, now: number, db: Executor): Work<number> {
  const [row] = yield ['SELECT fence, holder, lease_until FROM conversations WHERE id = ?', [conversation]]
  const held = row && holderOf(row, now, db)
  if (held && held !== holder) throw locked(conversation, held)
  const fence = Number(row?.['fence'] ?? 0) + 1
  if (row) yield ['UPDATE conversations SET fence = ? WHERE id = ?', [fence, conversation]]
  else
    yield [
      'INSERT INTO conversations (id, owner, seq, n, created_at, updated_at, fence, lease_until) VALUES (?, ?, 0, 0, ?, ?, ?, 0)',
      [conversation, owner ?? null, now, now, fence],
    ]
  return fence
}

/** Checks fence and event number and moves the conversation on, in a single statement: no other writer comes between. */
function* advance(commit: Commit, fence: number, now: number): Work<Row> {
  const { conversation, holder, records, release, head, leaseMs } = commit
  const { last, events } = numbersOf(commit)
  const [row] = yield [
    `UPDATE conversations SET n = n + ?, seq = seq + ?, head = COALESCE(?, head), updated_at = ?, holder = ?, lease_until = ?
     WHERE id = ? AND fence = ? AND seq = COALESCE(?, seq)
     RETURNING c, n, EXISTS (SELECT 1 FROM records WHERE records.c = conversations.c AND type = 'note.raw') AS raw`,
    [
      records.length,
      events,
      head ?? null,
      now,
      release ? null : holder,
      release ? 0 : now + leaseMs,
      conversation,
      fence,
      last ?? null,
    ],
  ]
  return row ?? (yield* refuse(commit, fence, last))
}

/** `last`: the event number that the first event follows. Throws `store.conflict` on a gap between the events. */
function numbersOf({ records, conversation }: Commit): { readonly last: number | undefined; readonly events: number } {
  let last: number | undefined
  let events = 0
  for (const { seq } of records) {
    if (seq === undefined) continue
    last ??= seq - 1
    if (seq !== last + ++events) throw conflict(conversation, last + events - 1, seq)
  }
  return { last, events }
}

function* refuse({ conversation }: Commit, fence: number, last: number | undefined): Work<never> {
  const [row] = yield ['SELECT fence, seq FROM conversations WHERE id = ?', [conversation]]
  if (row?.['fence'] === fence) throw conflict(conversation, Number(row['seq']), (last ?? 0) + 1)
  throw fenced(conversation)
}

type Erased = (record: Commit['records'][number]) => boolean

/** Records that this same commit would delete again: checkpoints of a turn that ends, raw results of calls that end. */
function erasedAtOnce(changes: readonly (readonly Change[])[]): Erased {
  const turns = new Set<string>()
  const calls = new Set<string>()
  for (const [change] of changes) {
    if (change?.change === 'turn' && change.status !== 'open') turns.add(change.id)
    if (change?.change === 'settled') calls.add(`${change.turn} ${change.callId}`)
  }
  return ({ type, turn = '', body }) =>
    (turns.has(turn) && isCheckpoint(type)) || (type === 'note.raw' && calls.has(`${turn} ${body['callId']}`))
}

/** Records in one INSERT: each statement costs a round trip to the database. */
const most = 50
const inserts = Array.from(
  { length: most + 1 },
  (_, rows) =>
    `INSERT INTO records (c, n, conversation, seq, turn, type, body) VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
)

function* insertRecords(
  { c, conversation }: Target,
  before: number,
  records: Commit['records'],
  erased: Erased,
): Work<void> {
  let params: unknown[] = []
  let rows = 0
  for (const [i, record] of records.entries()) {
    if (erased(record)) continue
    const { seq, turn, type, body } = record
    const n = before + i + 1
    params.push(c, n, n === 1 ? conversation : '', seq ?? null, turn ?? null, type, JSON.stringify(body))
    if (++rows < most) continue
    yield [inserts[rows] as string, params]
    params = []
    rows = 0
  }
  if (rows) yield [inserts[rows] as string, params]
}
