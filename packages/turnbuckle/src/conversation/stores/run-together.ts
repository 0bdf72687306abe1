import { TurnbuckleError } from '../../core/base/errors.ts'
import { type Batch, isBatch, type Row, type Statement, type Work } from '../sql/executor.ts'

/** A connection. With `pipeline` of `pg` it sends queries without waiting for the answers before; else one by one. */
export interface QueryClient {
  query(sql: string, params?: readonly unknown[]): Promise<{ rows: Row[] }>
}

export const begin: readonly string[] = ['BEGIN ISOLATION LEVEL SERIALIZABLE']
/** The begin of a transaction whose end does not wait for the disk. */
export const beginUnsynced: readonly string[] = [...begin, 'SET LOCAL synchronous_commit = off']

const tables = ['conversations', 'records', 'nodes', 'turns', 'states', 'requests', 'entries']
const named = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN)\\s+(${tables.join('|')})\\b`, 'g')

/** SQL as PostgreSQL wants it: numbered parameters, and tables by their schema, since a pooler may know no search path. */
export class SqlText {
  readonly schema: string | undefined
  readonly #known = new Map<string, string>()

  constructor(schema: string | undefined) {
    if (schema !== undefined && !/^[A-Za-z_][\w$]{0,62}$/.test(schema))
      throw new TurnbuckleError('store.schema', `"${schema}" is no name for a schema: letters, digits and _ are.`)
    this.schema = schema
  }
  /** `?` becomes `$1`, `$2`, … */
  of(sql: string): string {
    const known = this.#known.get(sql)
    if (known) return known
    let count = 0
    const numbered = sql.replace(/\?/g, () => `$${++count}`)
    const text = this.schema ? numbered.replace(named, `$1 "${this.schema}".$2`) : numbered
    this.#known.set(sql, text)
    return text
  }
}

/**
 * Drives several works side by side: each round trip carries the next statements of all of them. `opening`: the begin of
 * a transaction, which goes along with the first; its end goes along with the last.
 */
export async function runTogether(
  client: QueryClient,
  works: readonly Work<unknown>[],
  sql: SqlText,
  opening: readonly string[] | undefined,
): Promise<readonly unknown[]> {
  const steps = works.map(work => work.next())
  let sent: Promise<unknown>[] = (opening ?? []).map(text => client.query(text))
  let isOver = opening === undefined
  while (steps.some(({ done }) => !done)) {
    const open = [...steps.entries()].flatMap(([i, step]) => (step.done ? [] : [{ i, next: step.value }]))
    const isLast = open.every(({ next }) => isBatch(next) && next.last)
    const answers = open.map(({ next }) => send(client, next, sql))
    const ending = isLast && !isOver ? [client.query('COMMIT')] : []
    await settled([...sent, ...answers, ...ending])
    sent = []
    isOver ||= isLast
    for (const [k, { i }] of open.entries()) steps[i] = (works[i] as Work<unknown>).next((await answers[k]) ?? [])
  }
  if (!isOver) await settled([...sent, client.query('COMMIT')])
  return steps.map(({ value }) => value)
}

async function send(client: QueryClient, next: Statement | Batch, sql: SqlText): Promise<readonly Row[]> {
  const statements = isBatch(next) ? next.all : [next]
  const answers = statements.map(([text, params = []]) => client.query(sql.of(text), params))
  await settled(answers)
  return isBatch(next) ? [] : ((await answers[0])?.rows ?? [])
}

/** Waits for all, then throws the first error: those after it only say that the transaction is broken off. */
async function settled(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(sent)) if (outcome.status === 'rejected') throw outcome.reason
}
