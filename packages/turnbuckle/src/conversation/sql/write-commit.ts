import { type Commit, isActivity } from '../stores/driver.ts'
import { conflict, fenced, locked } from '../stores/refusals.ts'
import { applyChange, type ChangeWork, type Target } from './apply-change.ts'
import { type Change, changesOf, isCheckpoint, mayChangeTables } from './changes-of.ts'
import type { Executor, Row, Statement, Work } from './executor.ts'
import { bodyJson } from './json-record.ts'

/**
 * Appends the records of a commit and brings the tables up to date. Refuses a second writer and wrong event numbers. `known`: where the
 * last commit has left the conversation, on a database that counts the rows that a statement changes.
 */
export function* writeCommit(commit: Commit, db: Executor, known?: KnownPlace): Work<KnownPlace> {
  const { conversation, records } = commit
  const place = (known && (yield* moveOn(commit, known, db))) ?? (yield* advance(commit, db))
  const changes = records.map(changesBy)
  const erased = erasedAtOnce(changes)
  const all = yield* statementsOf({ conversation, ...place }, place.n - records.length, { records, changes, erased })
  if (all.length) yield { all, last: true }
  const leavesRaw = records.some(record => record.type === 'note.raw' && !erased(record))
  return { ...place, hasRaw: place.hasRaw || leavesRaw }
}

/** A conversation that this process writes to, as its last commit has left it: no other moves it on. */
export interface KnownPlace {
  readonly fence: number
  readonly n: number
  readonly c: number
  readonly createdAt: number
  /** The log may have raw results (`note.raw`). */
  readonly hasRaw: boolean
}

/** True where nothing has to be read for the commit. */
export const canWriteUnread = ({ records }: Commit): boolean =>
  records.every(record => changesBy(record).every(({ change }) => change !== 'branch'))

const changesBy = (record: Commit['records'][number]): readonly Change[] =>
  mayChangeTables(record.type) ? changesOf(record.type, record.body, record.turn) : []

/**
 * As `writeCommit`, without an answer to wait for: its end fails where the conversation is not at the place that is
 * known. Then `writeCommit` says why.
 */
export function* writeUnread(commit: Commit, known: KnownPlace, db: Executor): Work<KnownPlace> {
  const { conversation, records } = commit
  const { fence, n: before, c } = known
  const n = before + records.length
  const { blind, params } = advancing(commit, fence, db)
  const moved: Statement = [blind, params]
  const changes = records.map(changesBy)
  const written = { records, changes, erased: erasedAtOnce(changes) }
  const rest = yield* statementsOf({ conversation, c, hasRaw: true }, before, written)
  const check = 'SELECT 1 / COUNT(*) FROM conversations WHERE id = ? AND fence = ? AND n = ?'
  yield { all: [moved, ...rest, [check, [conversation, fence, n]]], last: true }
  return { ...known, n }
}

interface Written {
  readonly records: Commit['records']
  /** The changes of each record. */
  readonly changes: readonly (readonly Change[])[]
  readonly erased: Erased
}

/** Statements that append records and bring the tables up to date. `before`: the place of the log's last record. */
function* statementsOf(target: Target, before: number, { records, changes, erased }: Written): Work<Statement[]> {
  const batch = insertsOf(target, before, records, erased)
  for (let i = 0; i < changes.length; i++)
    for (const change of changes[i] as readonly Change[])
      yield* gather(applyChange(target, before + i + 1, change), batch)
  return batch
}

/** Adds the statements of a change to those that wait. What it reads comes after all of those. */
function* gather(change: ChangeWork, batch: Statement[]): Work<void> {
  let step = change.next()
  while (!step.done) {
    const statement = step.value
    const reads = statement[0].startsWith('SELECT')
    if (reads) yield { all: batch.splice(0), last: false }
    else batch.push(statement)
    step = change.next(reads ? yield statement : [])
  }
}

/** The holder of a conversation whose lease has not run out and whose process may be alive. `now` of the row: the database's time. */
export function holderOf(row: Row, db: Executor): string | undefined {
  const holder = row['holder'] as string | null
  return holder && Number(row['lease_until']) > Number(row['now']) && db.isAlive(holder) ? holder : undefined
}

/** Gives a new fencing token. Throws `conversation.locked` while another holder has the conversation. */
function* becomeWriter({ conversation, holder, owner, caller }: Commit, db: Executor): Work<number> {
  const now = Date.now()
  const [time, params = []] = db.now()
  const [row] = yield [
    `SELECT fence, holder, lease_until, ${time} AS now FROM conversations WHERE id = ?`,
    [...params, conversation],
  ]
  const held = row && holderOf(row, db)
  if (held && held !== holder) throw locked(conversation, held)
  const fence = Number(row?.['fence'] ?? 0) + 1
  if (row) yield ['UPDATE conversations SET fence = ? WHERE id = ?', [fence, conversation]]
  else
    yield [
      'INSERT INTO conversations (id, owner, caller, seq, n, created_at, updated_at, fence, lease_until) VALUES (?, ?, ?, 0, 0, ?, ?, ?, 0)',
      [conversation, owner ?? null, caller ?? null, now, now, fence],
    ]
  return fence
}

/** Becomes the writer where the commit has no fence yet, and moves the conversation on. */
function* advance(commit: Commit, db: Executor): Work<KnownPlace> {
  const fence = commit.fence ?? (yield* becomeWriter(commit, db))
  const { reading, params } = advancing(commit, fence, db)
  const [moved] = yield [reading, params]
  const row = moved ?? (yield* refuse(commit, fence, numbersOf(commit).last))
  const [n, c, createdAt] = [row['n'], row['c'], row['created_at']].map(Number) as [number, number, number]
  return { fence, n, c, createdAt, hasRaw: Boolean(row['raw']) }
}

/** As `advance`, without rows to read, which cost more than the change. Undefined where the conversation is not at that place any more. */
function* moveOn(commit: Commit, known: KnownPlace, db: Executor): Work<KnownPlace | undefined> {
  const { fence, n, c, createdAt } = known
  const { known: sql, params } = advancing(commit, fence, db)
  const [done] = yield [sql, [...params, c, n, createdAt]]
  return done?.['changes'] === 1 ? { ...known, n: n + commit.records.length } : undefined
}

/** The texts of one statement: with rows to read, with none, and with none where the place is known. */
interface AdvanceTexts {
  readonly reading: string
  readonly blind: string
  readonly known: string
}

/** Texts for each way to say the time: a database looks a prepared statement up by its text, and one put together anew is hashed anew. */
const advances = new Map<string, AdvanceTexts>()
function advanceAt(now: string): AdvanceTexts {
  const made = advances.get(now)
  if (made) return made
  const blind = `UPDATE conversations SET n = n + ?, seq = seq + ?, head = COALESCE(?, head), updated_at = COALESCE(?, updated_at), holder = ?, lease_until = ${now} + ?
     WHERE id = ? AND fence = ? AND seq = COALESCE(?, seq)`
  const raw = `EXISTS (SELECT 1 FROM records WHERE records.c = conversations.c AND type = 'note.raw')`
  const texts = {
    reading: `${blind} RETURNING c, n, created_at, ${raw} AS raw`,
    blind,
    known: `${blind} AND c = ? AND n = ? AND created_at = ?`,
  }
  advances.set(now, texts)
  return texts
}

/** Checks fence and event number and moves the conversation on, in a single statement: no other writer comes between. */
function advancing(
  commit: Commit,
  fence: number,
  db: Executor,
): AdvanceTexts & { readonly params: readonly unknown[] } {
  const { conversation, holder, records, release, head, leaseMs } = commit
  const { last, events } = numbersOf(commit)
  const [now, time = []]: Statement = release ? ['0'] : db.now()
  const params = [
    records.length,
    events,
    head ?? null,
    isActivity(commit) ? Date.now() : null,
    release ? null : holder,
    ...time,
    release ? 0 : leaseMs,
    conversation,
    fence,
    last ?? null,
  ]
  return { ...advanceAt(now), params }
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
  return record => {
    const { type, turn = '' } = record
    return (
      (turns.has(turn) && isCheckpoint(type)) || (type === 'note.raw' && calls.has(`${turn} ${record.body['callId']}`))
    )
  }
}

/** Records in one INSERT: each statement costs a round trip to the database. */
const most = 50
const inserts = Array.from(
  { length: most + 1 },
  (_, rows) =>
    `INSERT INTO records (c, n, conversation, seq, turn, type, body) VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
)

function insertsOf(
  { c, conversation }: Target,
  before: number,
  records: Commit['records'],
  erased: Erased,
): Statement[] {
  const statements: Statement[] = []
  let params: unknown[] = []
  let rows = 0
  for (const [i, record] of records.entries()) {
    if (erased(record)) continue
    const { seq, turn, type } = record
    const n = before + i + 1
    params.push(c, n, n === 1 ? conversation : '', seq ?? null, turn ?? null, type, bodyJson(record))
    if (++rows < most) continue
    statements.push([inserts[rows] as string, params])
    params = []
    rows = 0
  }
  if (rows) statements.push([inserts[rows] as string, params])
  return statements
}
