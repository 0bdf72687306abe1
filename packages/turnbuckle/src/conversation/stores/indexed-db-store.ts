import { TurnbuckleError } from '../../core/base/errors.ts'
import { plain } from '../sql/changes-of.ts'
import { type ConversationStore, createStore, type StoreOptions } from './create-store.ts'
import type {
  Commit,
  ConversationRow,
  Driver,
  Hit,
  ListAsked,
  LogRecord,
  NodeRow,
  RequestRow,
  RequestsAsked,
  SearchAsked,
  TurnRow,
  TurnsAsked,
} from './driver.ts'
import { inList } from './in-list.ts'
import { type IndexedDb, openTables, runTransaction, type TableTransaction } from './table-transaction.ts'
import { isHeld, type KeptRequest, type KeptRow, type KeptTurn, writeToTables } from './write-to-tables.ts'

/**
 * Conversations in the browser's IndexedDB, for all pages and workers of one origin. `await agent.open(id)` before
 * `agent.conversation(id)` or `agent.resume(id)`: its answers take a moment.
 *
 * ```ts
 * createAgent({ model, store: indexedDbStore('conversations') })
 * ```
 */
export function indexedDbStore(name: string, options: StoreOptions = {}): ConversationStore {
  return createStore(new IndexedDbDriver(name), options)
}

class IndexedDbDriver implements Driver {
  readonly #opened: ReturnType<typeof openTables>

  constructor(name: string) {
    const { indexedDB } = globalThis as { readonly indexedDB?: IndexedDb }
    if (!indexedDB)
      throw new TurnbuckleError('store.driver', 'There is no IndexedDB here: use memoryStore(), or sqliteStore(path).')
    this.#opened = openTables(indexedDB, name)
    // An error is thrown by the first reading or commit, and not here.
    this.#opened.catch(() => {})
  }

  #read<Result>(work: (transaction: TableTransaction) => Promise<Result>): Promise<Result> {
    return this.#run('readonly', false, work)
  }
  async #run<Result>(
    mode: 'readonly' | 'readwrite',
    unsynced: boolean,
    work: (transaction: TableTransaction) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await runTransaction(await this.#opened, mode, unsynced, work)
    } catch (error) {
      throw error instanceof TurnbuckleError || error instanceof TypeError ? error : readable(error)
    }
  }

  async commit(commit: Commit): Promise<{ readonly fence: number; readonly n: number }> {
    // Before the transaction begins: a body that JSON cannot say throws a TypeError, and nothing is kept.
    const records = commit.records.map(record => ({ ...record, body: copy(record.body) }))
    return this.#run('readwrite', commit.unsynced ?? false, tables => writeToTables({ ...commit, records }, tables))
  }
  renew(id: string, holder: string, fence: number, leaseMs: number): Promise<boolean> {
    return this.#run('readwrite', true, async tables => {
      const kept = await tables.get<KeptRow>('conversations', id)
      if (kept?.fence !== fence || kept.holder !== holder) return false
      tables.put('conversations', id, { ...kept, leaseUntil: Date.now() + leaseMs })
      return true
    })
  }

  conversation(id: string): Promise<ConversationRow | undefined> {
    return this.#read(async tables => {
      const kept = await tables.get<KeptRow>('conversations', id)
      return kept && { ...kept.row, held: isHeld(kept, Date.now()) }
    })
  }
  path(conversation: string, tip: string, limit = Infinity): Promise<readonly NodeRow[]> {
    return this.#read(async tables => {
      const path: NodeRow[] = []
      for (let id: string | undefined = tip; id !== undefined && path.length < limit; ) {
        const node: KeptNode | undefined = await tables.get<KeptNode>('nodes', [conversation, id])
        if (!node) break
        path.push(nodeRow(node))
        id = node.parent
      }
      return path.reverse()
    })
  }
  nodes(conversation: string): Promise<readonly NodeRow[]> {
    return this.#read(async tables => {
      const nodes = await tables.all<KeptNode>('nodes', conversation)
      return nodes.toSorted((a, b) => a.n - b.n || a.depth - b.depth).map(nodeRow)
    })
  }
  states(conversation: string): Promise<Readonly<Record<string, unknown>>> {
    return this.#read(async tables =>
      Object.fromEntries(await tables.all<readonly [string, unknown]>('states', conversation)),
    )
  }
  records(
    conversation: string,
    { turn, after = 0, limit }: { readonly turn?: string; readonly after?: number; readonly limit?: number },
  ): Promise<readonly LogRecord[]> {
    return this.#read(async tables => {
      const first = turn === undefined ? undefined : await tables.get<KeptTurn>('turns', [conversation, turn])
      // A record's place is never less than its event's number.
      const from = turn === undefined ? after : first?.n
      const records = await tables.all<LogRecord>('records', conversation, from)
      const wanted = (record: LogRecord) => (turn === undefined ? (record.seq ?? 0) > after : record.turn === turn)
      return records.filter(wanted).slice(0, limit)
    })
  }
  turns({ conversation, id, status }: TurnsAsked): Promise<readonly TurnRow[]> {
    return this.#read(async tables => {
      const turns = await tables.all<KeptTurn>('turns', conversation)
      return turns
        .filter(turn => (id === undefined || turn.id === id) && (status === undefined || turn.status === status))
        .toSorted((a, b) => a.startedAt - b.startedAt || a.n - b.n)
        .map(({ n: _, ...turn }) => turn)
    })
  }
  requests({ conversation, id, closed = false }: RequestsAsked): Promise<readonly RequestRow[]> {
    return this.#read(async tables => {
      const requests = await tables.all<KeptRequest>('requests', conversation)
      return requests
        .filter(request => request.closed === closed && (id === undefined || request.id === id))
        .toSorted((a, b) => a.openedAt - b.openedAt || a.n - b.n)
        .map(({ n: _, closed: __, ...request }) => request)
    })
  }

  list({ limit, before, owner }: ListAsked): Promise<readonly ConversationRow[]> {
    return this.#read(async tables => {
      const rows = (await tables.all<KeptRow>('conversations')).map(({ row }) => row)
      const listed = (row: ConversationRow) =>
        (!before || inList(before, row) < 0) && (owner === undefined || row.owner === owner)
      return rows.filter(listed).sort(inList).slice(0, limit)
    })
  }
  search({ text, limit, owner }: SearchAsked): Promise<readonly Hit[]> {
    return this.#read(async tables => {
      const found: Hit[] = []
      for (const { row } of await tables.all<KeptRow>('conversations')) {
        if (owner !== undefined && row.owner !== owner) continue
        for (const node of await tables.all<KeptNode>('nodes', row.id))
          if (!node.hidden && node.text.includes(plain(text.toLowerCase())))
            found.push({ conversation: row.id, node: nodeRow(node) })
      }
      return found.sort((a, b) => b.node.at - a.node.at).slice(0, limit)
    })
  }
  delete(conversation: string): Promise<void> {
    return this.#run('readwrite', false, async tables => {
      tables.delete('conversations', conversation)
      for (const table of ['records', 'nodes', 'turns', 'requests', 'states'] as const)
        tables.deleteAll(table, conversation)
    })
  }

  get(space: string, key: string): Promise<unknown> {
    return this.#read(async tables => {
      const entry = await tables.get<Entry>('entries', [space, key])
      return entry && isCurrent(entry) ? entry.value : undefined
    })
  }
  set(space: string, key: string, value: unknown, expiresAt?: number, unsynced = false): Promise<void> {
    const kept = copy(value)
    return this.#run('readwrite', unsynced, async tables => {
      if (kept === undefined) tables.delete('entries', [space, key])
      else tables.put('entries', [space, key], { key, value: kept, expiresAt } satisfies Entry)
    })
  }
  entries(space: string): Promise<readonly (readonly [string, unknown])[]> {
    return this.#read(async tables =>
      (await tables.all<Entry>('entries', space)).filter(isCurrent).map(({ key, value }) => [key, value] as const),
    )
  }

  async close(): Promise<void> {
    const database = await this.#opened.catch(() => undefined)
    database?.close()
  }
}

interface Entry {
  readonly key: string
  readonly value: unknown
  readonly expiresAt: number | undefined
}
/** A message with its place and the text that is searched. */
interface KeptNode extends NodeRow {
  readonly n: number
  readonly text: string
}
const nodeRow = ({ n: _, text: __, ...node }: KeptNode): NodeRow => node

const isCurrent = ({ expiresAt = Infinity }: Entry): boolean => expiresAt > Date.now()

/** Plain JSON, as every store keeps it. */
const copy = <Value>(value: Value): Value =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value)

function readable(error: unknown): TurnbuckleError {
  const { name, message } = (error ?? {}) as { readonly name?: string; readonly message?: string }
  const [code, say] =
    name === 'QuotaExceededError'
      ? ['store.full', 'The browser gives this page no more space. Delete conversations, and try again.']
      : ['store.failed', 'IndexedDB failed.']
  return new TurnbuckleError(code, `${say} (${message ?? error})`, { cause: error, kind: 'store' })
}
