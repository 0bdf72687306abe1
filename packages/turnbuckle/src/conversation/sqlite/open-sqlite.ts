import { TurnbuckleError } from '../../core/base/errors.ts'
import { nodeModule } from '../platform/node-module.ts'

/** The part of a synchronous SQLite driver that stores use: `node:sqlite` and `libsql` both have it. */
export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): {
    all(...params: unknown[]): unknown[]
    iterate(...params: unknown[]): Iterable<unknown>
    run(...params: unknown[]): unknown
  }
  close(): void
}

const require = (name: string): unknown => nodeModule('node:module').createRequire(import.meta.url)(name)

type Driver = new (path: string) => Database

/** `libsql` takes parameters one by one with a copy of each, and a list as it is: a quarter of the time of a long insert. */
const givenLists = (Libsql: Driver): Driver =>
  class extends Libsql {
    override prepare(sql: string): ReturnType<Database['prepare']> {
      const prepared = super.prepare(sql)
      return {
        all: (...params) => prepared.all(params),
        iterate: (...params) => prepared.iterate(params),
        run: (...params) => prepared.run(params),
      }
    }
  }

/** The packages that give a database, the one to use first. */
const drivers = {
  'node:sqlite': (): Driver => (require('node:sqlite') as { DatabaseSync: Driver }).DatabaseSync,
  libsql: (): Driver => givenLists(require('libsql') as Driver),
} as const
export type SqliteDriverName = keyof typeof drivers

/** `node:sqlite` where Node has it, else the package `libsql`. */
export function connect(path: string, wanted?: SqliteDriverName): Database {
  const Driver = driver(wanted)
  try {
    return new Driver(path)
  } catch (error) {
    throw readable(error, path)
  }
}

function driver(wanted: SqliteDriverName | undefined): Driver {
  for (const load of wanted ? [drivers[wanted]] : Object.values(drivers))
    try {
      return load()
    } catch {}
  throw new TurnbuckleError(
    'store.driver',
    wanted
      ? `There is no ${wanted} here.`
      : 'This Node has no SQLite of its own (22.13 has). Install one: npm install libsql',
  )
}

/** Opens a file, or makes it, for several processes at once. `prepare` makes it ready; when that throws it is closed again. */
export function openSqlite(path: string, prepare: (database: Database) => void, wanted?: SqliteDriverName): Database {
  if (path !== ':memory:') makeFolder(path)
  const database = connect(path, wanted)
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    // For a new file: a commit writes whole pages, and a record is much smaller. Smaller ones make a search slower.
    database.exec('PRAGMA page_size = 2048')
    if (path !== ':memory:') database.exec('PRAGMA journal_mode = WAL')
    prepare(database)
  } catch (error) {
    database.close()
    throw readable(error, path)
  }
  return database
}

function makeFolder(path: string): void {
  const folder = nodeModule('node:path').dirname(path)
  try {
    nodeModule('node:fs').mkdirSync(folder, { recursive: true })
  } catch (error) {
    const why = (error as Error).message
    throw new TurnbuckleError(
      /ENOSPC/.test(why) ? 'store.full' : 'store.readonly',
      `The folder "${folder}" is not there and cannot be made: check what is above it, and its permissions. (${why})`,
      { cause: error, kind: 'store' },
    )
  }
}

const known: readonly (readonly [RegExp, string, (path: string) => string])[] = [
  [
    /readonly|read-only|EACCES|EROFS/i,
    'store.readonly',
    path => `"${path}" cannot be written to: check its permissions, and those of its -wal and -shm.`,
  ],
  [/locked|busy/i, 'store.locked', path => `"${path}" is locked by another program. Close it and try again.`],
  [
    /full|no space|ENOSPC/i,
    'store.full',
    path => `There is no space left for "${path}". Free some and try again: nothing that was acknowledged is lost.`,
  ],
  [
    /malformed|not a database|corrupt/i,
    'store.damaged',
    path => `"${path}" is damaged. Restore a copy, or move it away to start anew.`,
  ],
  [
    /disk I\/O error/i,
    'store.unwritable',
    path =>
      `The disk does not take "${path}" any more: a limit is reached, or it is failing. Nothing that was acknowledged is lost.`,
  ],
  [
    /unable to open|cannot open/i,
    'store.unreachable',
    path => `"${path}" cannot be opened: check the folder and its permissions.`,
  ],
]

/** A database's error as a store error: its code by a table of known messages, with what to do about it. */
export function readable(error: unknown, path: string): TurnbuckleError {
  if (error instanceof TurnbuckleError) return error
  const text = String((error as Error)?.message ?? error)
  const [, code, say] = known.find(([pattern]) => pattern.test(text)) ?? []
  return new TurnbuckleError(
    code ?? 'store.failed',
    say ? `${say(path)} (${text})` : `The store "${path}" failed: ${text}`,
    { cause: error, kind: 'store' },
  )
}
