import { TurnbuckleError } from '../../core/base/errors.ts'
import { isAlive } from '../log/lease-holder.ts'
import {
  type Batch,
  type Executor,
  isBatch,
  type Row,
  type Statement,
  type TransactionOptions,
  type Work,
} from '../sql/executor.ts'
import { type Database, readable } from './open-sqlite.ts'

interface Reopened {
  readonly database: Database
  readonly refusal?: TurnbuckleError | undefined
}

interface ReadOnlyOptions {
  /** Thrown by every transaction, for a store that is open for reading only. */
  readonly refusal?: TurnbuckleError | undefined
  /**
   * Opens a database that could not be written to anew, once it can be: SQLite goes on as it opened it. `letGo` is called first, since
   * connections of one process share what they found.
   */
  readonly reopen?: (letGo: () => void) => Reopened | undefined
}

/** Drives SQL on a SQLite database, at once. */
export class SqliteExecutor implements Executor {
  #database: Database
  readonly #path: string
  #isOpen = true
  #refusal: TurnbuckleError | undefined
  readonly #reopen: ReadOnlyOptions['reopen']
  /** What a member of the group under way that throws undoes: itself, or the group. */
  #members: 'apart' | 'together' | undefined
  /** As `openReadable` leaves a database. */
  #synced = true
  readonly #statements = new Map<
    string,
    { readonly reads: boolean; readonly prepared: ReturnType<Database['prepare']> }
  >()

  constructor(database: Database, path: string, { refusal, reopen }: ReadOnlyOptions = {}) {
    this.#database = database
    this.#path = path
    this.#refusal = refusal
    this.#reopen = reopen
  }

  query<Result>(work: () => Work<Result>): Result {
    try {
      return this.#drive(work())
    } catch (error) {
      throw readable(error, this.#path)
    }
  }

  transaction<Result>(work: () => Work<Result>, { unsynced = false }: TransactionOptions = {}): Result {
    if (this.#refusal && !this.#isWritableAgain(this.#refusal)) throw this.#refusal
    if (this.#members === 'together') return this.#drive(work())
    if (this.#members === 'apart') return this.#member(work)
    return this.#whole(() => this.#drive(work()), unsynced)
  }

  /**
   * Runs transactions as members of one. Apart: a member that throws a `TurnbuckleError` is undone alone. Any other error is
   * the database's own, and undoes the group, as any error does of members together, which cost less: then `run` must let it pass.
   */
  group(run: () => void, { unsynced, members }: { unsynced: boolean; members: 'apart' | 'together' }): void {
    this.#whole(() => {
      this.#members = members
      try {
        run()
      } finally {
        this.#members = undefined
      }
    }, unsynced)
  }
  #member<Result>(work: () => Work<Result>): Result {
    this.#rows('SAVEPOINT member')
    try {
      const result = this.#drive(work())
      this.#rows('RELEASE member')
      return result
    } catch (error) {
      if (!(error instanceof TurnbuckleError)) throw error
      this.#rows('ROLLBACK TO member')
      this.#rows('RELEASE member')
      throw error
    }
  }

  #whole<Result>(run: () => Result, unsynced: boolean): Result {
    try {
      return this.#attempt(run, unsynced)
    } catch (error) {
      const known = readable(error, this.#path)
      if (!this.#isWritableAgain(known)) throw known
    }
    try {
      return this.#attempt(run, unsynced)
    } catch (error) {
      throw readable(error, this.#path)
    }
  }
  #attempt<Result>(run: () => Result, unsynced: boolean): Result {
    this.#sync(!unsynced)
    this.#rows('BEGIN IMMEDIATE')
    try {
      const result = run()
      this.#rows('COMMIT')
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }
  #isWritableAgain({ code }: TurnbuckleError): boolean {
    const letGo = () => this.#letGo()
    const opened = code === 'store.readonly' ? this.#reopen?.(letGo) : undefined
    if (!opened) return false
    this.#database = opened.database
    this.#isOpen = true
    this.#refusal = opened.refusal
    this.#synced = true
    return !opened.refusal
  }
  /** Closes once: a database that could not be opened anew is closed already. */
  #letGo(): void {
    this.#statements.clear()
    if (this.#isOpen) this.#database.close()
    this.#isOpen = false
  }
  /** Says whether the next transaction is synced to the disk. One that is syncs those before it as well. */
  #sync(synced: boolean): void {
    if (synced === this.#synced) return
    this.#database.exec(`PRAGMA synchronous = ${synced ? 'FULL' : 'NORMAL'}`)
    this.#synced = synced
  }
  /** Errors are ignored: on a full disk SQLite has ended the transaction by itself. */
  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {}
  }

  /** A database in memory has no other process, so that its clock is that of this one. */
  now(): Statement {
    return this.#path === ':memory:' ? ['?', [Date.now()]] : ["((julianday('now') - 2440587.5) * 86400000.0)"]
  }
  isAlive(holder: string): boolean {
    return isAlive(holder)
  }
  /** Leaves an empty write-ahead log behind where it can: the next process to open the file has less to read. */
  close(): void {
    this.#statements.clear()
    try {
      this.#database.exec('PRAGMA busy_timeout = 0')
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {}
    this.#letGo()
  }

  #drive<Result>(work: Work<Result>): Result {
    let step = work.next()
    while (!step.done) {
      step = work.next(isBatch(step.value) ? this.#all(step.value) : this.#rows(...step.value))
    }
    return step.value
  }

  #all({ all }: Batch): readonly Row[] {
    for (const statement of all) this.#rows(...statement)
    return []
  }
  #rows(sql: string, params: readonly unknown[] = []): readonly Row[] {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = { reads: /^(SELECT|WITH)|RETURNING/.test(sql), prepared: this.#database.prepare(sql) }
      this.#statements.set(sql, statement)
    }
    return (statement.reads ? statement.prepared.all(...params) : [statement.prepared.run(...params)]) as Row[]
  }
}
