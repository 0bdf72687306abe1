import { nodeModule } from '../platform/node-module.ts'
import type { Row } from '../sql/executor.ts'
import { SqlDriver } from '../sql/sql-driver.ts'
import type { LogRecord } from '../stores/driver.ts'
import type { Loss } from '../stores/loss.ts'
import { connect, type Database, type SqliteDriverName } from './open-sqlite.ts'
import { SqliteExecutor } from './sqlite-executor.ts'

interface Shape {
  readonly size: number
  readonly pageSize: number
  readonly pages: number
}

/** Size of the file, and pages as its header has them. Undefined for a file that is no database. */
function shapeOf(path: string): Shape | undefined {
  const { closeSync, openSync, readSync, statSync } = nodeModule('node:fs')
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(100)
    if (readSync(file, head, 0, 100, 0) < 100 || head.toString('latin1', 0, 15) !== 'SQLite format 3') return undefined
    const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16)
    return { size: statSync(path).size, pageSize, pages: head.readUInt32BE(28) }
  } finally {
    closeSync(file)
  }
}

/** True when the end of the file is missing or zeroed. Reads its two ends only: a large store opens as fast as a small one. */
export function isTorn(path: string, driver: SqliteDriverName | undefined): boolean {
  const { existsSync, statSync } = nodeModule('node:fs')
  if (!existsSync(path)) return false
  const shape = shapeOf(path)
  // With a write-ahead log the file alone says little: its last pages may be there.
  if (!shape || (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size)) return false
  const { size, pageSize, pages } = shape
  return size < pages * pageSize || (lastPageIsEmpty(path, pageSize, pages) && !passesCheck(path, driver))
}

function lastPageIsEmpty(path: string, pageSize: number, pages: number): boolean {
  const { closeSync, openSync, readSync } = nodeModule('node:fs')
  const file = openSync(path, 'r')
  try {
    const page = Buffer.alloc(pageSize)
    readSync(file, page, 0, pageSize, (pages - 1) * pageSize)
    return pages > 1 && page.every(byte => byte === 0)
  } finally {
    closeSync(file)
  }
}

function passesCheck(path: string, driver: SqliteDriverName | undefined): boolean {
  const database = connect(path, driver)
  try {
    const [row] = database.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[]
    return row?.quick_check === 'ok'
  } catch {
    return false
  } finally {
    database.close()
  }
}

interface Salvaged {
  readonly conversations: NonNullable<Loss['conversations']>
  /** No record of the log is missing. */
  readonly whole: boolean
}

/**
 * Puts the records at the beginning of a damaged or unusable file into an empty database, in the order they were
 * written, up to the first that cannot be read. Undefined when nothing can be. The file itself is not touched.
 */
export function salvage(path: string, into: Database, driver: SqliteDriverName | undefined): Salvaged | undefined {
  const shape = shapeOf(path)
  if (!shape) return undefined
  const { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, truncateSync } = nodeModule('node:fs')
  const { join } = nodeModule('node:path')
  const folder = mkdtempSync(join(nodeModule('node:os').tmpdir(), 'turnbuckle-salvage-'))
  try {
    const copy = join(folder, 'copy.db')
    for (const end of ['', '-wal'])
      if (existsSync(path + end)) {
        copyFileSync(path + end, copy + end)
        chmodSync(copy + end, 0o600)
      }
    // SQLite reads nothing of a file that is too short; an empty page stops it only when it gets there.
    truncateSync(copy, Math.max(shape.size, shape.pages * shape.pageSize))
    const source = connect(copy, driver)
    let stopped = false
    const stop = () => {
      stopped = true
    }
    const records = [...parsed(readable(source, 'SELECT * FROM records NOT INDEXED ORDER BY rowid', stop), stop)]
    const rows = [...readable(source, 'SELECT * FROM conversations NOT INDEXED ORDER BY rowid', stop)]
    source.close()
    if (!records.length) return undefined
    const conversations = refill(into, records, rows)
    const known = new Set(rows.map(row => row['id']))
    const whole = !stopped && conversations.every(({ id, lost }) => known.has(id) && !lost)
    return { conversations, whole }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Rows up to the first that cannot be read. */
function* readable(database: Database, sql: string, onEnd: () => void): Generator<Row> {
  try {
    yield* database.prepare(sql).iterate() as Iterable<Row>
  } catch {
    onEnd()
  }
}

type Found = Omit<LogRecord, 'n'> & { readonly conversation: string }

/** Records up to the first of which a part is missing. */
function* parsed(rows: Iterable<Row>, onEnd: () => void): Generator<Found> {
  const names = new Map<unknown, unknown>()
  for (const { c, conversation, seq, turn, type, body } of rows) {
    // The first record of a log names its conversation.
    if (conversation) names.set(c, conversation)
    const name = names.get(c)
    const known = jsonOf(body)
    if (typeof name !== 'string' || typeof type !== 'string' || !known) return onEnd()
    yield {
      conversation: name,
      seq: seq === null ? undefined : Number(seq),
      turn: turn === null ? undefined : String(turn),
      type,
      body: known,
    }
  }
}

function jsonOf(text: unknown): LogRecord['body'] | undefined {
  try {
    return JSON.parse(String(text)) as LogRecord['body']
  } catch {
    return undefined
  }
}

function refill(into: Database, records: readonly Found[], rows: readonly Row[]): NonNullable<Loss['conversations']> {
  const logs = new Map<string, Omit<LogRecord, 'n'>[]>(rows.map(row => [String(row['id']), []]))
  for (const { conversation, ...record } of records) {
    const log = logs.get(conversation) ?? []
    logs.set(conversation, log)
    log.push(record)
  }
  const driver = new SqlDriver(new SqliteExecutor(into, ':memory:'))
  return [...logs].map(([id, log]) => {
    const row = rows.find(known => known['id'] === id)
    const records = withoutGaps(log)
    const owner = (row?.['owner'] as string | null | undefined) ?? undefined
    const caller = (row?.['caller'] as string | null | undefined) ?? undefined
    driver.commit({ conversation: id, ...salvaging, records, head: headOf(records, row), owner, caller })
    const times = records.map(({ body }) => Number(body['at'])).filter(Number.isFinite)
    into
      .prepare('UPDATE conversations SET created_at = ?, updated_at = ? WHERE id = ?')
      .run(Number(row?.['created_at'] ?? times[0] ?? 0), times.at(-1) ?? 0, id)
    const readable = records.findLast(({ seq }) => seq !== undefined)?.seq ?? 0
    return { id, readable, lost: Math.max(0, Number(row?.['seq'] ?? readable) - readable) }
  })
}

const salvaging = { holder: 'salvage', fence: undefined, leaseMs: 0, release: true } as const

/** The log up to the first event that does not follow the one before. */
function withoutGaps(log: readonly Omit<LogRecord, 'n'>[]): Omit<LogRecord, 'n'>[] {
  let last = 0
  const gap = log.findIndex(({ seq }) => seq !== undefined && seq !== ++last)
  return gap < 0 ? [...log] : log.slice(0, gap)
}

function headOf(records: readonly Omit<LogRecord, 'n'>[], row: Row | undefined): string | undefined {
  const added = records.filter(({ type }) => type === 'message.added').map(({ body }) => String(body['messageId']))
  const head = row?.['head'] as string | null | undefined
  return head && added.includes(head) ? head : added.at(-1)
}
