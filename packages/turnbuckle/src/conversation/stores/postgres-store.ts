import { TurnbuckleError } from '../../core/base/errors.ts'
import { isAlive } from '../log/lease-holder.ts'
import type { Executor, Row, Work } from '../sql/executor.ts'
import { SqlDriver } from '../sql/sql-driver.ts'
import { sqlMigrations } from '../sql/sql-migrations.ts'
import { type ConversationStore, createStore, type StoreOptions } from './create-store.ts'

/** The part of `pg` that the store uses. */
interface Client {
  query(sql: string, params?: readonly unknown[]): Promise<{ rows: Row[] }>
  release(): void
  on(event: 'error', listener: () => void): unknown
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
export function postgresStore(url: string, options: StoreOptions = {}): ConversationStore {
  return createStore(new SqlDriver(new PostgresExecutor(url)), options)
}

const versions = sqlMigrations.postgres

class PostgresExecutor implements Executor {
  readonly #url: string
  #pool: Promise<Pool> | undefined
  readonly #numbered = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
    // An error is thrown by the first query or transaction, and not here.
    this.#open().catch(() => {})
  }

  /** A pool that could not be opened is opened again by the next query or transaction. */
  #open(): Promise<Pool> {
    this.#pool ??= openPool(this.#url).catch(error => {
      this.#pool = undefined
      throw error
    })
    return this.#pool
  }

  async query<Result>(work: () => Work<Result>): Promise<Result> {
    return this.#with(client => this.#drive(client, work()))
  }

  async transaction<Result>(work: () => Work<Result>): Promise<Result> {
    return this.#with(async client => {
      for (let tries = 0; ; tries++) {
        await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE')
        try {
          const result = await this.#drive(client, work())
          await client.query('COMMIT')
          return result
        } catch (error) {
          await rollBack(client)
          // Two commits at once: serialization_failure, deadlock_detected. The transaction is run again.
          const again = ['40001', '40P01'].includes((error as { code?: string }).code ?? '')
          if (!again || tries === 20) throw error
        }
      }
    })
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

  async #drive<Result>(client: Client, work: Work<Result>): Promise<Result> {
    let step = work.next()
    while (!step.done) {
      const [sql, params = []] = step.value
      step = work.next((await client.query(this.#number(sql), params)).rows)
    }
    return step.value
  }

  /** `?` becomes `$1`, `$2`, … */
  #number(sql: string): string {
    const known = this.#numbered.get(sql)
    if (known) return known
    let count = 0
    const numbered = sql.replace(/\?/g, () => `$${++count}`)
    this.#numbered.set(sql, numbered)
    return numbered
  }
}

async function openPool(url: string): Promise<Pool> {
  const { default: pg } = (await import('pg').catch(() => {
    throw new TurnbuckleError('store.driver', 'PostgreSQL needs the package pg: npm install pg')
  })) as unknown as { default: { Pool: new (options: object) => Pool } }
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  // A connection that the server closes is replaced with the next query; a query under way on it fails by itself.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  try {
    await migrate(pool)
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

async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect().catch(unreachable)
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock(7287625)')
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
