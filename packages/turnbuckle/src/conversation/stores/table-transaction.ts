/** The part of IndexedDB that the store uses: the library is compiled without the types of a browser. */
export interface IndexedDb {
  open(name: string, version: number): OpenRequest
}
interface Asked<Result> {
  readonly result: Result
  readonly error: unknown
  onsuccess: (() => void) | null
  onerror: (() => void) | null
}
interface OpenRequest extends Asked<Database> {
  onupgradeneeded: (() => void) | null
}
interface Database {
  createObjectStore(name: string): unknown
  transaction(names: readonly string[], mode: 'readonly' | 'readwrite', options: object): Transaction
  close(): void
  onversionchange: (() => void) | null
}
interface Transaction {
  objectStore(name: string): Shelf
  abort(): void
  readonly error: unknown
  oncomplete: (() => void) | null
  onabort: (() => void) | null
}
interface Shelf {
  get(key: Key): Asked<unknown>
  getAll(range?: object, count?: number): Asked<unknown[]>
  put(value: unknown, key: Key): Asked<unknown>
  delete(keyOrRange: Key | object): Asked<unknown>
}
type Key = string | readonly (string | number)[]

/** The tables, by the keys of their rows. A key that begins with a conversation's id is that conversation's. */
export interface Tables {
  readonly conversations: string
  readonly records: readonly [conversation: string, n: number]
  readonly nodes: readonly [conversation: string, id: string]
  readonly turns: readonly [conversation: string, id: string]
  readonly requests: readonly [conversation: string, id: string]
  readonly states: readonly [conversation: string, name: string]
  readonly entries: readonly [space: string, key: string]
}
export const tables: readonly (keyof Tables)[] = [
  'conversations',
  'records',
  'nodes',
  'turns',
  'requests',
  'states',
  'entries',
]

const answer = <Result>(asked: Asked<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })

/** Keys whose first part is this one; `from`: those whose second part is not less. An array is greater than any text or number. */
function within(first: string, from?: string | number): object {
  const { IDBKeyRange } = globalThis as unknown as {
    readonly IDBKeyRange: { bound(from: unknown, to: unknown): object }
  }
  return IDBKeyRange.bound(from === undefined ? [first] : [first, from], [first, []])
}

/** A transaction on the tables. It ends by itself when nothing of it is awaited any more. */
export class TableTransaction {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }
  async get<Row, Name extends keyof Tables = keyof Tables>(table: Name, key: Tables[Name]): Promise<Row | undefined> {
    return (await answer(this.#transaction.objectStore(table).get(key))) as Row | undefined
  }
  /** Rows in the order of their keys: all, or those whose key begins with `first`. */
  async all<Row>(table: keyof Tables, first?: string, from?: string | number): Promise<readonly Row[]> {
    const range = first === undefined ? undefined : within(first, from)
    return (await answer(this.#transaction.objectStore(table).getAll(range))) as Row[]
  }
  /** Not awaited: requests are answered in order, and one that fails undoes the transaction. */
  put<Name extends keyof Tables>(table: Name, key: Tables[Name], row: unknown): void {
    this.#transaction.objectStore(table).put(row, key)
  }
  delete<Name extends keyof Tables>(table: Name, key: Tables[Name]): void {
    this.#transaction.objectStore(table).delete(key)
  }
  deleteAll(table: keyof Tables, first: string): void {
    this.#transaction.objectStore(table).delete(within(first))
  }
}

/** Opens a database with the tables, or makes it. */
export async function openTables(indexedDb: IndexedDb, name: string): Promise<Database> {
  const request = indexedDb.open(name, 1)
  request.onupgradeneeded = () => {
    for (const table of tables) request.result.createObjectStore(table)
  }
  const database = await answer(request)
  // A page of a newer version may change the tables only when no older one has them open.
  database.onversionchange = () => database.close()
  return database
}

/** Runs work in a transaction, and resolves when that is complete: durable, unless it is `unsynced`. */
export function runTransaction<Result>(
  database: Database,
  mode: 'readonly' | 'readwrite',
  unsynced: boolean,
  work: (transaction: TableTransaction) => Promise<Result>,
): Promise<Result> {
  const durability = unsynced ? 'relaxed' : 'strict'
  const transaction = database.transaction(tables, mode, mode === 'readwrite' ? { durability } : {})
  return new Promise((resolve, reject) => {
    let outcome: { readonly result: Result } | { readonly error: unknown } | undefined
    transaction.oncomplete = () => {
      if (outcome && 'result' in outcome) resolve(outcome.result)
    }
    transaction.onabort = () => reject(outcome && 'error' in outcome ? outcome.error : transaction.error)
    work(new TableTransaction(transaction)).then(
      result => {
        outcome = { result }
      },
      error => {
        outcome = { error }
        transaction.abort()
      },
    )
  })
}
