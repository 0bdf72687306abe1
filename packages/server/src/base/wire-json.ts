import type { Event } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'

/** Fields that are `null` on the wire where there is no parent, turn, head or title. */
const nullable = new Set(['parentId', 'turnId', 'from', 'to'])

/** A replacer for JSON.stringify: bytes of a message become base64. */
function plain(key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value === undefined && nullable.has(key)) return null
  return value
}

/** JSON as every HTTP answer, frame and stored trace has it. */
export const wireJson = (value: unknown): string => JSON.stringify(value, plain)

let last: { readonly event: object; readonly line: string } | undefined

/** An event's JSON. All followers of one event share one line: it is written for the first of them. */
export function eventLine(event: Event | WireEvent): string {
  if (last?.event !== event) last = { event, line: wireJson(event) }
  return last.line
}
