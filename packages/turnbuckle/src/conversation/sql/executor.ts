import type { Maybe } from '../stores/driver.ts'

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
