import type { TurnbuckleError } from '../../core/base/errors.ts'
import { isAlive } from '../log/lease-holder.ts'
import type { Executor, Row, Work } from '../sql/executor.ts'
import { type Database, readable } from './open-sqlite.ts'

/** Drives SQL on a SQLite database, at once. */
export class SqliteExecutor implements Executor {
  readonly #database: Database
  readonly #path: string
  readonly #refusal: TurnbuckleError | undefined
  readonly #statements = new Map<
    string,
    { readonly reads: boolean; readonly prepared: ReturnType<Database['prepare']> }
  >()

  /** `refusal`: thrown by every transaction, for a store that is open for reading only. */
  constructor(database: Database, path: string, refusal?: TurnbuckleError) {
    this.#database = database
    this.#path = path
    this.#refusal = refusal
  }

  query<Result>(work: () => Work<Result>): Result {
    try {
      return this.#drive(work())
    } catch (error) {
      throw readable(error, this.#path)
    }
  }

  transaction<Result>(work: () => Work<Result>): Result {
    if (this.#refusal) throw this.#refusal
    try {
      this.#rows('BEGIN IMMEDIATE', [])
      try {
        const result = this.#drive(work())
        this.#rows('COMMIT', [])
        return result
      } catch (error) {
        this.#rollBack()
        throw error
      }
    } catch (error) {
      throw readable(error, this.#path)
    }
  }

  /** Errors are ignored: on a full disk SQLite has ended the transaction by itself. */
  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {}
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
    this.#database.close()
  }

  #drive<Result>(work: Work<Result>): Result {
    let step = work.next()
    while (!step.done) {
      const [sql, params = []] = step.value
      step = work.next(this.#rows(sql, params))
    }
    return step.value
  }

  #rows(sql: string, params: readonly unknown[]): readonly Row[] {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = { reads: /^(SELECT|WITH)|RETURNING/.test(sql), prepared: this.#database.prepare(sql) }
      this.#statements.set(sql, statement)
    }
    if (statement.reads) return statement.prepared.all(...params) as Row[]
    statement.prepared.run(...params)
    return []
  }
}
