import { type Change, changesOf, isCheckpoint } from '../sql/changes-of.ts'
import {
  type Commit,
  type ConversationRow,
  isActivity,
  type LogRecord,
  type NodeRow,
  type RequestRow,
  type TurnRow,
} from './driver.ts'
import { conflict, fenced, locked } from './refusals.ts'
import type { TableTransaction } from './table-transaction.ts'

/** A conversation's row with its lease. */
export interface KeptRow {
  readonly row: ConversationRow
  readonly fence: number
  readonly holder: string | undefined
  readonly leaseUntil: number
}
/** `n`: the place of the turn's first record. */
export interface KeptTurn extends TurnRow {
  readonly n: number
}

export interface KeptRequest extends RequestRow {
  readonly n: number
  readonly closed: boolean
}

/** A conversation that is being written to. */
interface Target {
  readonly id: string
  readonly tables: TableTransaction
  row: ConversationRow
}

/** Appends the records of a commit and brings the tables up to date. Refuses a second writer and wrong event numbers. */
export async function writeToTables(commit: Commit, tables: TableTransaction): Promise<{ fence: number; n: number }> {
  const now = Date.now()
  const { conversation: id, holder, head, release, leaseMs } = commit
  const kept = (await tables.get<KeptRow>('conversations', id)) ?? nothing(commit, now)
  const fence = admit(commit, kept, now)
  checkSeq(commit, kept)
  const target: Target = { id, tables, row: kept.row }
  for (const record of commit.records) await append(target, record)
  const row = {
    ...target.row,
    head: head ?? target.row.head,
    updatedAt: isActivity(commit) ? now : target.row.updatedAt,
  }
  const lease = release ? { holder: undefined, leaseUntil: 0 } : { holder, leaseUntil: now + leaseMs }
  tables.put('conversations', id, { row, fence, ...lease } satisfies KeptRow)
  return { fence, n: row.n }
}

async function append(target: Target, { seq, turn, type, body }: Commit['records'][number]): Promise<void> {
  const { row, tables, id } = target
  const n = row.n + 1
  target.row = { ...row, n, seq: seq ?? row.seq }
  tables.put('records', [id, n], { n, seq, turn, type, body } satisfies LogRecord)
  for (const change of changesOf(type, body, turn))
    await (writers[change.change] as Apply<Change['change']>)(target, change, n)
}

const nothing = ({ conversation: id, owner, caller }: Commit, now: number): KeptRow => ({
  row: {
    ...{ id, owner, caller, title: undefined, head: undefined, seq: 0, n: 0, createdAt: now, updatedAt: now },
    usage: { inputTokens: 0, outputTokens: 0, cost: 0 },
  },
  fence: 0,
  holder: undefined,
  leaseUntil: 0,
})

export const isHeld = ({ holder, leaseUntil }: Omit<KeptRow, 'row' | 'fence'>, now: number): boolean =>
  holder !== undefined && leaseUntil > now

/** Gives the writer's token. Throws `conversation.locked` and `store.fenced`. */
export function admit({ conversation, holder, fence }: Commit, kept: Omit<KeptRow, 'row'>, now: number): number {
  if (fence !== undefined) {
    if (kept.fence === fence) return fence
    throw fenced(conversation)
  }
  if (isHeld(kept, now) && kept.holder !== holder) throw locked(conversation, String(kept.holder))
  return kept.fence + 1
}

/** Throws `store.conflict` for an event that does not follow the one before it. */
export function checkSeq({ records, conversation }: Commit, kept: Pick<KeptRow, 'row'>): void {
  let { seq } = kept.row
  for (const record of records)
    if (record.seq !== undefined && record.seq !== ++seq) throw conflict(conversation, seq - 1, record.seq)
}

type Apply<Kind extends Change['change']> = (
  target: Target,
  change: Extract<Change, { change: Kind }>,
  n: number,
) => Promise<void>

/** A writer for each kind of change. */
const writers: { readonly [Kind in Change['change']]: Apply<Kind> } = {
  async node({ tables, id: c }, { message, parent, turn, at, text }, n) {
    const above = parent === undefined ? undefined : await tables.get<NodeRow>('nodes', [c, parent])
    const { id } = message
    const place = { id, parent, depth: (above?.depth ?? 0) + 1, turn, at, message }
    tables.put('nodes', [c, id], { ...place, usage: undefined, state: above?.state, hidden: false, text, n })
  },
  async usage(target, { node, usage }) {
    const { inputTokens, outputTokens, cost } = target.row.usage
    const sum = { inputTokens: inputTokens + usage.inputTokens, outputTokens: outputTokens + usage.outputTokens }
    const known = cost !== undefined && usage.cost !== undefined
    target.row = { ...target.row, usage: known ? { ...sum, cost: cost + usage.cost } : sum }
    if (node !== undefined) await patchNode(target, node, () => ({ usage }))
  },
  async hidden(target, { node }) {
    const nodes = await target.tables.all<NodeRow>('nodes', target.id)
    const below = new Set([node])
    // A parent is always less deep than its children.
    for (const { id, parent } of nodes.toSorted((a, b) => a.depth - b.depth))
      if (parent !== undefined && below.has(parent)) below.add(id)
    for (const each of nodes)
      if (below.has(each.id)) target.tables.put('nodes', [target.id, each.id], { ...each, hidden: true })
  },
  async turn(target, { id, status, at, unpriced }, n) {
    const { tables, id: conversation } = target
    const { cost: _, ...tokens } = target.row.usage
    if (unpriced) target.row = { ...target.row, usage: tokens }
    const known = await tables.get<KeptTurn>('turns', [conversation, id])
    tables.put('turns', [conversation, id], { id, conversation, startedAt: at, n, ...known, status })
    if (status !== 'open') await forget(target, id, known?.n, ({ type }) => isCheckpoint(type))
  },
  async settled(target, { callId, turn }) {
    if (turn === undefined) return
    const known = await target.tables.get<KeptTurn>('turns', [target.id, turn])
    // The raw result is erased as soon as the hooked one is recorded: a redactor may have had its reasons.
    await forget(target, turn, known?.n, ({ type, body }) => type === 'note.raw' && body['callId'] === callId)
  },
  async request({ tables, id: conversation }, { id, kind, payload, at, deadline, turn = '' }, n) {
    tables.put('requests', [conversation, id], {
      id,
      conversation,
      turn,
      kind,
      payload,
      openedAt: at,
      deadline,
      n,
      closed: false,
    })
  },
  async answered({ tables, id: conversation }, { id }) {
    const request = await tables.get<KeptRequest>('requests', [conversation, id])
    const closed = { payload: null, deadline: undefined, closed: true }
    if (request) tables.put('requests', [conversation, id], { ...request, ...closed })
  },
  async title(target, { title }) {
    target.row = { ...target.row, title }
  },
  async state({ tables, id }, { name, value }) {
    tables.put('states', [id, name], [name, value ?? undefined])
  },
  branch: (target, { node, name, value }) =>
    patchNode(target, node, ({ state }) => ({ state: { ...state, [name]: value } })),
}

/** Deletes records of a turn. `from`: the place of its first. */
async function forget(
  { tables, id }: Target,
  turn: string,
  from: number | undefined,
  which: (record: LogRecord) => boolean,
): Promise<void> {
  for (const record of await tables.all<LogRecord>('records', id, from))
    if (record.turn === turn && which(record)) tables.delete('records', [id, record.n])
}

async function patchNode(
  { tables, id: c }: Target,
  id: string,
  patch: (node: NodeRow) => Partial<NodeRow>,
): Promise<void> {
  const node = await tables.get<NodeRow>('nodes', [c, id])
  if (node) tables.put('nodes', [c, id], { ...node, ...patch(node) })
}
