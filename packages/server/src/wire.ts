import type { Event, NewMessage, Node } from 'turnbuckle'
import type { NewTurn, WireEvent, WireNode } from 'turnbuckle/client'

/** Where there is none, it is `null`: a parent, a turn, a head or title before or after. */
const nullable = new Set(['parentId', 'turnId', 'from', 'to'])

/** What cannot be said in JSON is said in text: bytes as base64, addresses as they are. */
function plain(key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value === undefined && nullable.has(key)) return null
  return value
}

let last: { readonly event: object; readonly line: string } | undefined

/** The event as it goes over the wire. Written once for all who are told of it in one go. */
export function lineOf(event: Event | WireEvent): string {
  if (last?.event !== event) last = { event, line: JSON.stringify(event, plain) }
  return last.line
}

export const jsonOf = (value: unknown): string => JSON.stringify(value, plain)

export const wireNode = ({ id, parentId, turnId, message, usage, cost, createdAt }: Node): WireNode => ({
  id,
  parentId: parentId ?? null,
  turnId: turnId ?? null,
  message,
  createdAt,
  ...(usage ? { usage } : {}),
  ...(cost === undefined ? {} : { cost }),
})

export const messageOf = ({ text, attachments = [] }: NewTurn): NewMessage => ({
  role: 'user',
  content: [
    ...(text || !attachments.length ? [{ type: 'text' as const, text }] : []),
    ...attachments.map(file => ({ type: 'file' as const, ...file })),
  ],
})
