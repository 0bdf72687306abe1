import { TurnbuckleError } from '../../core/base/errors.ts'
import { isAlive } from '../log/lease-holder.ts'
import { nodeModule } from '../platform/node-module.ts'
import type { Executor, Statement, TransactionOptions, Work } from '../sql/executor.ts'
import { SqlDriver } from '../sql/sql-driver.ts'
import { sqlMigrations } from '../sql/sql-migrations.ts'
import { type ConversationStore, createStore, type StoreOptions } from './create-store.ts'
import { type ListeningConnection, type ListeningHooks, PostgresChannel } from './postgres-channel.ts'
import { begin, beginUnsynced, type QueryClient, runTogether, SqlText } from './run-together.ts'

/** The part of `pg` that the store uses. */
interface Client extends QueryClient {
  release(): void
  on(event: 'error', listener: () => void): unknown
}
/** A connection of its own, for listening. */
interface ListeningClient extends QueryClient {
  connect(): Promise<unknown>
  end(): Promise<void>
  unref(): void
  on(event: 'error' | 'end', listener: () => void): unknown
  on(event: 'notification', listener: (notification: { channel: string; payload?: string }) => void): unknown
}
interface Pool {
  connect(): Promise<Client>
  end(): Promise<void>
  on(event: 'error', listener: () => void): unknown
  on(event: 'connect', listener: (client: Client) => void): unknown
}

/**
 * Conversations in PostgreSQL, for several processes. Needs the package `pg`.
 *
 * ```ts
 * createAgent({ model, store: postgresStore('postgres://localhost/turnbuckle') })
 * ```
 */
export function postgresStore(url: string, options: PostgresOptions = {}): ConversationStore {
  const { schema, listen = url, ...rest } = options
  return createStore(new SqlDriver(new PostgresExecutor(url, schema, listen)), rest)
}

/** The options of `postgresStore`. */
export interface PostgresOptions extends StoreOptions {
  /** The schema of the tables, which is made where it is missing. By default the first of the connection's search path. */
  readonly schema?: string
  /**
   * The address for the one connection that hears of other processes (LISTEN), made when somebody listens. By default that of the store. A
   * pooler that lends connections by the transaction passes nothing on: give the address of the database itself, or `false`; then
   * processes look into the store again and again.
   */
  readonly listen?: string | false
}

const versions = sqlMigrations.postgres

interface Waiting {
  readonly work: () => Work<unknown>
  readonly unsynced: boolean
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Drives SQL on PostgreSQL. What waits while a transaction is under way goes into the next one, pipelined. */
class PostgresExecutor implements Executor {
  readonly isElsewhere = true
  readonly #url: string
  readonly #sql: SqlText
  #pool: Promise<Pool> | undefined
  #waiting: Waiting[] = []
  #committing = false
  readonly channel: PostgresChannel

  constructor(url: string, schema: string | undefined, listen: string | false) {
    this.#url = url
    this.#sql = new SqlText(schema)
    this.channel = new PostgresChannel({
      schema,
      notify: (sql, params) => this.#notify(sql, params),
      connect: listen === false ? undefined : hooks => connectListening(listen, hooks),
    })
    // An error is thrown by the first query or transaction, and not here.
    this.#open().catch(() => {})
  }

  /** A pool that could not be opened is opened again by the next query or transaction. */
  #open(): Promise<Pool> {
    this.#pool ??= openPool(this.#url, this.#sql).catch(error => {
      this.#pool = undefined
      throw error
    })
    return this.#pool
  }

  query<Result>(work: () => Work<Result>): Promise<Result> {
    return this.#with(async client => {
      const [result] = await runTogether(client, [work()], this.#sql, undefined)
      return result as Result
    })
  }

  async transaction<Result>(work: () => Work<Result>, options: TransactionOptions = {}): Promise<Result> {
    const { unsynced = false, alone = false } = options
    if (alone) return (await this.#commit([work], unsynced))[0] as Result
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ work, unsynced, resolve: resolve as Waiting['resolve'], reject })
      if (!this.#committing) void this.#commitWaiting()
    })
  }

  async #commitWaiting(): Promise<void> {
    this.#committing = true
    while (this.#waiting.length) {
      // Commits that come up in this turn of the event loop go along.
      await new Promise(resolve => setImmediate(resolve))
      await this.#commitGroup(this.#waiting.splice(0))
    }
    this.#committing = false
  }
  /** A group that fails is taken apart: each fails by its own fault alone. */
  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const unsynced = group.every(each => each.unsynced)
      const works = group.map(({ work }) => work)
      const results = await this.#commit(works, unsynced)
      for (const [i, { resolve }] of group.entries()) resolve(results[i])
    } catch (error) {
      const isLost = error instanceof TurnbuckleError && error.code === 'store.unreachable'
      if (group.length > 1 && !isLost) for (const each of group) await this.#commitGroup([each])
      else for (const { reject } of group) reject(error)
    }
  }
  #commit(works: readonly (() => Work<unknown>)[], unsynced: boolean): Promise<readonly unknown[]> {
    return this.#with(async client => {
      for (let tries = 0; ; tries++)
        try {
          const begun = works.map(work => work())
          return await runTogether(client, begun, this.#sql, unsynced ? beginUnsynced : begin)
        } catch (error) {
          await rollBack(client)
          // Two commits at once: serialization_failure, deadlock_detected. The transaction is run again.
          const again = ['40001', '40P01'].includes((error as { code?: string }).code ?? '')
          if (!again || tries === 20) throw error
        }
    })
  }

  /** A notification is worth no sync of the disk. It is a transaction of its own: in that of a commit it would make commits wait for each other. */
  #notify(sql: string, params: readonly unknown[]): Promise<void> {
    return this.#with(async client => {
      const sent = [...beginNotifying, sql, 'COMMIT'].map(text => client.query(text, text === sql ? params : []))
      const outcomes = await Promise.allSettled(sent)
      const failed = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
      if (!failed) return
      await rollBack(client)
      throw failed.reason
    })
  }

  now(): Statement {
    return ['(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::double precision']
  }
  isAlive(holder: string): boolean {
    return isAlive(holder)
  }
  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => undefined)
    await pool?.end()
  }

  async #with<Result>(use: (client: Client) => Promise<Result>): Promise<Result> {
    try {
      const client = await (await this.#open()).connect().catch(unreachable)
      try {
        return await use(client)
      } finally {
        client.release()
      }
    } catch (error) {
      if (error instanceof TurnbuckleError) throw error
      if (isCut(error)) return unreachable(error)
      throw new TurnbuckleError('store.failed', `PostgreSQL failed: ${(error as Error).message}`, {
        cause: error,
        kind: 'store',
      })
    }
  }
}

/** Required and not imported: a bundler for browsers would look for what `pg` needs of Node. */
function loadPg(): {
  readonly Pool: new (options: object) => Pool
  readonly Client: new (options: object) => ListeningClient
} {
  try {
    return nodeModule('node:module').createRequire(import.meta.url)('pg')
  } catch {
    throw new TurnbuckleError('store.driver', 'PostgreSQL needs the package pg: npm install pg')
  }
}

const beginNotifying = ['BEGIN', 'SET LOCAL synchronous_commit = off']

/** Resolves when it is connected. */
async function connectListening(url: string, { heard, lost }: ListeningHooks): Promise<ListeningConnection> {
  const client = new (loadPg().Client)({
    connectionString: url,
    keepAlive: true,
    pipeline: true,
    application_name: 'turnbuckle listen',
  })
  client.on('error', lost)
  client.on('end', lost)
  client.on('notification', ({ channel, payload = '' }) => heard(channel, payload))
  await client.connect()
  // Listening alone keeps no process alive.
  client.unref()
  return { query: (sql, params) => client.query(sql, params), end: () => client.end() }
}

async function openPool(url: string, sql: SqlText): Promise<Pool> {
  const pg = loadPg()
  const pool = new pg.Pool({ connectionString: url, max: 10, pipeline: true })
  // A connection that the server closes is replaced with the next query; a query under way on it fails by itself.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  try {
    await migrate(pool, sql)
  } catch (error) {
    await pool.end()
    throw error
  }
  return pool
}

/** True when the connection to the server is lost. An error with a severity comes from the server itself. */
function isCut(error: unknown): boolean {
  const { code = '', severity } = error as { readonly code?: string; readonly severity?: string }
  if (severity !== undefined) return /^(08|57P)/.test(code)
  return !(error instanceof TypeError || error instanceof RangeError)
}

/** Errors are ignored: on a lost connection the server has rolled back the transaction by itself. */
const rollBack = (client: Client): Promise<unknown> => client.query('ROLLBACK').catch(() => {})

const unreachable = (error: unknown): never => {
  throw new TurnbuckleError(
    'store.unreachable',
    `PostgreSQL cannot be reached: ${(error as Error).message}. Check the address and that it runs.`,
    { cause: error, kind: 'store' },
  )
}

async function migrate(pool: Pool, { schema }: SqlText): Promise<void> {
  const client = await pool.connect().catch(unreachable)
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock(7287625)')
    if (schema) {
      await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
      await client.query(`SET LOCAL search_path TO "${schema}"`)
    }
    await client.query('CREATE TABLE IF NOT EXISTS turnbuckle_schema (version INTEGER NOT NULL)')
    const { rows } = await client.query('SELECT version FROM turnbuckle_schema')
    const version = Number(rows[0]?.['version'] ?? 0)
    if (version > versions.length)
      throw new TurnbuckleError(
        'store.newer',
        `The database was written by a newer Turnbuckle (schema ${version}; this one knows ${versions.length}). Update Turnbuckle.`,
        { kind: 'store' },
      )
    for (const sql of versions.slice(version).flat()) await client.query(sql)
    if (version !== versions.length) {
      await client.query('DELETE FROM turnbuckle_schema')
      await client.query('INSERT INTO turnbuckle_schema (version) VALUES ($1)', [versions.length])
    }
    await client.query('COMMIT')
  } catch (error) {
    await rollBack(client)
    throw error
  } finally {
    client.release()
  }
}
