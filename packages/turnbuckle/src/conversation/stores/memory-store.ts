import type { Usage } from '../../core/base/ports.ts'
import { type Change, changesOf, isCheckpoint, searched } from '../sql/changes-of.ts'
import { type ConversationStore, createStore, type StoreOptions } from './create-store.ts'
import {
  type Commit,
  type Committed,
  type ConversationRow,
  type Driver,
  type Hit,
  isActivity,
  type ListAsked,
  type LogRecord,
  type NodeRow,
  type RequestRow,
  type RequestsAsked,
  type SearchAsked,
  type TurnRow,
  type TurnsAsked,
} from './driver.ts'
import { inList } from './in-list.ts'
import { admit, checkSeq, isHeld } from './write-to-tables.ts'

/** Conversations in this process: the whole of durability but the disk. For tests, and for agents that live as long as their process. */
export function memoryStore(options: StoreOptions = {}): ConversationStore {
  return createStore(new MemoryDriver(), options)
}

interface Kept {
  row: Omit<ConversationRow, 'usage'> & { usage: Usage }
  fence: number
  holder: string | undefined
  leaseUntil: number
  readonly records: LogRecord[]
  readonly nodes: Map<string, NodeRow>
  readonly states: Map<string, unknown>
  readonly turns: Map<string, TurnRow>
  readonly requests: Map<string, RequestRow>
  readonly closedRequests: Map<string, RequestRow>
}

const copy = <Value>(value: Value): Value =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value)

class MemoryDriver implements Driver {
  readonly #kept = new Map<string, Kept>()
  readonly #entries = new Map<
    string,
    Map<string, { readonly value: unknown; readonly expiresAt: number | undefined }>
  >()

  commit(commit: Commit): Committed {
    const now = Date.now()
    const kept = this.#kept.get(commit.conversation) ?? empty(commit, now)
    const fence = admit(commit, kept, now)
    checkSeq(commit, kept)
    // A commit is all or nothing: a body that JSON cannot say throws here, before any record is kept.
    const records = commit.records.map(({ seq, turn, type, body }) => ({ seq, turn, type, body: copy(body) }))
    this.#kept.set(commit.conversation, kept)
    for (const { seq, turn, type, body } of records) {
      const record: LogRecord = { n: kept.row.n + 1, seq, turn, type, body }
      kept.records.push(record)
      kept.row = { ...kept.row, n: record.n, seq: seq ?? kept.row.seq }
      for (const change of changesOf(type, record.body, turn)) apply(kept, change)
    }
    kept.row = {
      ...kept.row,
      head: commit.head ?? kept.row.head,
      updatedAt: isActivity(commit) ? now : kept.row.updatedAt,
    }
    kept.fence = fence
    kept.holder = commit.release ? undefined : commit.holder
    kept.leaseUntil = commit.release ? 0 : now + commit.leaseMs
    return { fence, n: kept.row.n, createdAt: kept.row.createdAt }
  }

  renew(id: string, holder: string, fence: number, leaseMs: number): boolean {
    const kept = this.#kept.get(id)
    if (kept?.fence !== fence || kept.holder !== holder) return false
    kept.leaseUntil = Date.now() + leaseMs
    return true
  }
  conversation(id: string): ConversationRow | undefined {
    const kept = this.#kept.get(id)
    return kept && { ...copy(kept.row), held: isHeld(kept, Date.now()) }
  }
  path(id: string, tip: string, limit = Infinity): readonly NodeRow[] {
    const nodes = this.#kept.get(id)?.nodes
    const path: NodeRow[] = []
    for (
      let node = nodes?.get(tip);
      node && path.length < limit;
      node = node.parent === undefined ? undefined : nodes?.get(node.parent)
    )
      path.push(copy(node))
    return path.reverse()
  }
  nodes(id: string): readonly NodeRow[] {
    return copy([...(this.#kept.get(id)?.nodes.values() ?? [])])
  }
  states(id: string): Readonly<Record<string, unknown>> {
    return copy(Object.fromEntries(this.#kept.get(id)?.states ?? []))
  }
  records(
    id: string,
    { turn, after = 0, limit = Infinity }: { readonly turn?: string; readonly after?: number; readonly limit?: number },
  ): readonly LogRecord[] {
    const wanted = (record: LogRecord) => (turn === undefined ? (record.seq ?? 0) > after : record.turn === turn)
    return copy((this.#kept.get(id)?.records ?? []).filter(wanted).slice(0, limit))
  }
  turns(where: TurnsAsked): readonly TurnRow[] {
    return this.#matching(kept => kept.turns, where)
  }
  requests({ closed, ...where }: RequestsAsked): readonly RequestRow[] {
    return this.#matching(kept => (closed ? kept.closedRequests : kept.requests), where)
  }
  #matching<Row extends object>(of: (kept: Kept) => Map<string, Row>, where: object): Row[] {
    const given = Object.entries(where).filter(([, value]) => value !== undefined)
    const rows = [...this.#kept.values()].flatMap(kept => [...of(kept).values()])
    return copy(rows.filter(row => given.every(([key, value]) => (row as Record<string, unknown>)[key] === value)))
  }
  list({ limit, before, owner }: ListAsked): readonly ConversationRow[] {
    const rows = [...this.#kept.values()]
      .map(({ row }) => row)
      .filter(row => (!before || inList(before, row) < 0) && (owner === undefined || row.owner === owner))
    return copy(rows.sort(inList).slice(0, limit))
  }
  search({ text, limit, owner }: SearchAsked): readonly Hit[] {
    const found = [...this.#kept.values()]
      .filter(({ row }) => owner === undefined || row.owner === owner)
      .flatMap(({ row, nodes }) => [...nodes.values()].map(node => ({ conversation: row.id, node })))
      .filter(({ node }) => !node.hidden && searched(node.message).includes(text.toLowerCase()))
    return copy(found.sort((a, b) => b.node.at - a.node.at).slice(0, limit))
  }
  delete(id: string): void {
    this.#kept.delete(id)
  }
  get(space: string, key: string): unknown {
    const entry = this.#entries.get(space)?.get(key)
    return entry && (entry.expiresAt ?? Infinity) > Date.now() ? copy(entry.value) : undefined
  }
  set(space: string, key: string, value: unknown, expiresAt?: number): void {
    const entries = this.#entries.get(space) ?? new Map()
    if (value === undefined) entries.delete(key)
    else entries.set(key, { value: copy(value), expiresAt })
    this.#entries.set(space, entries)
  }
  entries(space: string): readonly (readonly [string, unknown])[] {
    const keys = [...(this.#entries.get(space)?.keys() ?? [])].sort()
    return keys.map(key => [key, this.get(space, key)] as const).filter(([, value]) => value !== undefined)
  }
  close(): void {}
}

const empty = ({ conversation: id, owner, caller }: Commit, now: number): Kept => ({
  row: {
    id,
    title: undefined,
    owner,
    caller,
    head: undefined,
    seq: 0,
    n: 0,
    createdAt: now,
    updatedAt: now,
    usage: { inputTokens: 0, outputTokens: 0, cost: 0 },
  },
  fence: 0,
  holder: undefined,
  leaseUntil: 0,
  records: [],
  nodes: new Map(),
  states: new Map(),
  turns: new Map(),
  requests: new Map(),
  closedRequests: new Map(),
})

type Apply<Kind extends Change['change']> = (kept: Kept, change: Extract<Change, { change: Kind }>) => void

const writers: { readonly [Kind in Change['change']]: Apply<Kind> } = {
  node(kept, { message, parent, turn, at }) {
    const above = parent === undefined ? undefined : kept.nodes.get(parent)
    const depth = (above?.depth ?? 0) + 1
    const { id } = message
    kept.nodes.set(id, { id, parent, depth, turn, at, message, usage: undefined, state: above?.state, hidden: false })
  },
  usage(kept, { node, usage }) {
    const { inputTokens, outputTokens, cost } = kept.row.usage
    if (node !== undefined) patch(kept, node, { usage })
    const sum = { inputTokens: inputTokens + usage.inputTokens, outputTokens: outputTokens + usage.outputTokens }
    const known = cost !== undefined && usage.cost !== undefined
    kept.row = { ...kept.row, usage: known ? { ...sum, cost: cost + usage.cost } : sum }
  },
  hidden(kept, { node }) {
    patch(kept, node, { hidden: true })
    for (const { id, parent } of [...kept.nodes.values()])
      if (parent === node) writers.hidden(kept, { change: 'hidden', node: id })
  },
  turn(kept, { id, status, at, unpriced }) {
    const { cost: _, ...tokens } = kept.row.usage
    if (unpriced) kept.row = { ...kept.row, usage: tokens }
    kept.turns.set(id, { id, conversation: kept.row.id, startedAt: at, ...kept.turns.get(id), status })
    if (status !== 'open') forget(kept, record => record.turn === id && isCheckpoint(record.type))
  },
  settled(kept, { callId, turn }) {
    forget(kept, ({ type, body, turn: of }) => of === turn && type === 'note.raw' && body['callId'] === callId)
  },
  request(kept, { id, kind, payload, at, deadline, turn = '' }) {
    kept.closedRequests.delete(id)
    kept.requests.set(id, { id, conversation: kept.row.id, turn, kind, payload, openedAt: at, deadline })
  },
  answered(kept, { id }) {
    const row = kept.requests.get(id)
    if (row) kept.closedRequests.set(id, { ...row, payload: null, deadline: undefined })
    kept.requests.delete(id)
  },
  title(kept, { title }) {
    kept.row = { ...kept.row, title }
  },
  state(kept, { name, value }) {
    kept.states.set(name, value)
  },
  branch(kept, { node, name, value }) {
    patch(kept, node, { state: { ...kept.nodes.get(node)?.state, [name]: value } })
  },
}

function forget({ records }: Kept, which: (record: LogRecord) => boolean): void {
  for (let i = records.length - 1; i >= 0; i--) if (which(records[i] as LogRecord)) records.splice(i, 1)
}

const apply = (kept: Kept, change: Change): void => (writers[change.change] as Apply<Change['change']>)(kept, change)

function patch(kept: Kept, id: string, members: Partial<NodeRow>): void {
  const node = kept.nodes.get(id)
  if (node) kept.nodes.set(id, { ...node, ...members })
}
