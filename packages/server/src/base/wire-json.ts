import type { Event } from 'turnbuckle'
import { type WireEvent, wireEvent } from 'turnbuckle/client'

/** Fields that are `null` on the wire where there is no parent, turn, head or title. */
const nullable = new Set(['parentId', 'turnId', 'from', 'to'])

/** A replacer for JSON.stringify: bytes of a message become base64. */
const plain = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value

const plainOrNull = (key: string, value: unknown): unknown =>
  value === undefined && nullable.has(key) ? null : plain(key, value)

/** JSON as every HTTP answer, frame and stored trace has it. */
export const wireJson = (value: unknown): string => JSON.stringify(value, plainOrNull)

let last: { readonly event: object; readonly line: string } | undefined

/** An event's JSON. All followers of one event share one line: it is written for the first of them. */
export function eventLine(event: Event | WireEvent): string {
  if (last?.event !== event) last = { event, line: lineOf(event) }
  return last.line
}

/** Of an event that the log keeps only its own fields may be null: arguments and results are as the log will have them. */
const lineOf = (event: Event | WireEvent): string =>
  event.type.startsWith('trace.') ? wireJson(event) : JSON.stringify(wireEvent(event), plain)
