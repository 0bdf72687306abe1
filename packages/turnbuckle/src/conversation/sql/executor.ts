import type { Maybe } from '../stores/driver.ts'

export type Row = Readonly<Record<string, unknown>>
/** A piece of database work: yields one query at a time, and is given its rows. */
export type Work<Result> = Generator<readonly [sql: string, params?: readonly unknown[]], Result, readonly Row[]>

/** The port to a database: drives a piece of work, at once or asynchronously, in a transaction or not. */
export interface Executor {
  query<Result>(work: () => Work<Result>): Maybe<Result>
  /** `unsynced`: outlives the process, and the machine's power only once a later transaction was synced. */
  transaction<Result>(work: () => Work<Result>, unsynced?: boolean): Maybe<Result>
  /** False only when the process of a lease's holder is known to be gone. */
  isAlive(holder: string): boolean
  close(): Maybe<void>
}
