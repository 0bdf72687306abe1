import { type ErrorKind, TurnbuckleError } from '../../core/base/errors.ts'
import type { Driver } from '../stores/driver.ts'
import type { SqliteDriverName } from './open-sqlite.ts'

/** A method of the driver that the thread answers. */
export type ThreadMethod = Exclude<keyof Driver, 'atOnce'>

/** A call of the driver on its way to the thread. */
export interface ThreadCall {
  readonly id: number
  readonly method: ThreadMethod
  readonly args: readonly unknown[]
  /** The value to set, or the commit without the bodies of its records: JSON says what a copy may not. */
  readonly json?: string | undefined
  /** The bodies of a commit's records, each as the database keeps it. */
  readonly bodies?: readonly string[] | undefined
  readonly unsynced?: boolean | undefined
}

export type ThreadAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure }

/** The database that the thread opens; it is there already, and whole. */
export interface ThreadOptions {
  readonly path: string
  readonly driver: SqliteDriverName | undefined
  readonly maxBytes: number | undefined
}

interface Failure {
  readonly code: string
  readonly message: string
  readonly kind: ErrorKind | undefined
}

/** An error as a message between threads can carry it. */
export const failureOf = (error: unknown): Failure =>
  error instanceof TurnbuckleError
    ? { code: error.code, message: error.message, kind: error.kind }
    : { code: 'store.failed', message: `The store failed: ${error}`, kind: 'store' }

export const errorOf = ({ code, message, kind }: Failure): TurnbuckleError =>
  new TurnbuckleError(code, message, kind ? { kind } : {})
