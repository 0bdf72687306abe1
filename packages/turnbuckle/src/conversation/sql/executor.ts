import type { Channel } from '../channel/channel.ts'
import type { Maybe } from '../stores/driver.ts'

export type Row = Readonly<Record<string, unknown>>
export type Statement = readonly [sql: string, params?: readonly unknown[]]

/** Statements whose rows nobody reads. `last`: nothing follows in the transaction, so that its end is sent along. */
export interface Batch {
  readonly all: readonly Statement[]
  readonly last: boolean
}
export const isBatch = (step: Statement | Batch): step is Batch => 'all' in step

/**
 * A piece of database work: yields a statement, and is given its rows, or statements that need no answer. Of a statement without rows a
 * database in this process gives one: how many rows it has changed, as `changes`.
 */
export type Work<Result> = Generator<Statement | Batch, Result, readonly Row[]>

/** The ways of a transaction. */
export interface TransactionOptions {
  /** Outlives the process, and the machine's power only once a later transaction was synced. */
  readonly unsynced?: boolean | undefined
  /** May be refused after it has written: it is in no group. */
  readonly alone?: boolean
}

/** The port to a database: drives a piece of work, at once or asynchronously, in a transaction or not. */
export interface Executor {
  /** True for a database that each round trip takes time to: it is told at once what needs no answer. */
  readonly isElsewhere?: boolean
  /** Carries messages between the processes on the database, where it can. */
  readonly channel?: Channel | undefined
  query<Result>(work: () => Work<Result>): Maybe<Result>
  transaction<Result>(work: () => Work<Result>, options?: TransactionOptions): Maybe<Result>
  /**
   * An SQL expression for the time of the database, in milliseconds since 1970, and its parameters. Leases go by this clock, which
   * all processes share: that of a process may be minutes off.
   */
  now(): Statement
  /** False only when the process of a lease's holder is known to be gone. */
  isAlive(holder: string): boolean
  close(): Maybe<void>
}
