import { TurnbuckleError } from '../../core/base/errors.ts'
import type { Message } from '../../core/base/message.ts'
import type { Usage } from '../../core/base/ports.ts'
import type { ConversationRow, LogRecord, NodeRow } from '../stores/driver.ts'
import type { Row } from './executor.ts'

const some = <Value>(value: Value | null | undefined): Value | undefined => value ?? undefined

/** Parses a JSON column. A damaged page may give text that was never written: that throws `store.damaged`. */
export function json(value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  try {
    return JSON.parse(value as string)
  } catch {
    throw damaged('A value in it cannot be read.')
  }
}

export function conversationRow(row: Row): ConversationRow {
  const { id } = row
  if (typeof id !== 'string') throw damaged('A conversation in it has no id.')
  return {
    id,
    title: some(row['title'] as string | null),
    owner: some(row['owner'] as string | null),
    caller: some(row['caller'] as string | null),
    head: some(row['head'] as string | null),
    seq: Number(row['seq']),
    n: Number(row['n']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    usage: {
      inputTokens: Number(row['input_tokens']),
      outputTokens: Number(row['output_tokens']),
      ...(row['cost'] === null ? {} : { cost: Number(row['cost']) }),
    },
  }
}

export function nodeRow(row: Row): NodeRow {
  const id = row['id'] as string
  const message = json(row['message']) as Message | undefined
  if (message?.id !== id || !Array.isArray(message.content)) throw damaged(`The message "${id}" cannot be read.`)
  return {
    id,
    parent: some(row['parent'] as string | null),
    depth: Number(row['depth']),
    turn: some(row['turn'] as string | null),
    at: Number(row['at']),
    message,
    usage: json(row['usage']) as Usage | undefined,
    state: json(row['state']) as NodeRow['state'],
    hidden: Number(row['hidden']) === 1,
  }
}

export function logRecord(row: Row): LogRecord {
  const { n, seq, turn, type } = row
  const body = json(row['body'])
  if (typeof type !== 'string' || typeof body !== 'object') throw damaged(`Record ${n} cannot be read.`)
  return {
    n: Number(n),
    seq: seq === null ? undefined : Number(seq),
    turn: some(turn as string | null),
    type,
    body: body as LogRecord['body'],
  }
}

/** Checks that no event is missing from `after` up to `last`. More may follow: another process may have added events. */
export function contiguous(events: readonly LogRecord[], after: number, last: number): readonly LogRecord[] {
  const place = events.findIndex(({ seq }, i) => seq !== after + 1 + i)
  const missing = place < 0 ? after + 1 + events.length : after + 1 + place
  if (place >= 0 || missing <= last) throw damaged(`Event ${missing} is missing.`)
  return events
}

const damaged = (what: string): TurnbuckleError =>
  new TurnbuckleError('store.damaged', `The store is damaged. ${what} Restore a copy.`, { kind: 'store' })
