import type { Event, Node } from 'turnbuckle'
import type { WireEvent, WireNode } from 'turnbuckle/client'

/** What cannot be said in JSON is said in text: bytes as base64, addresses as they are. No parent is `null`. */
function plain(this: unknown, key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value === undefined && (key === 'parentId' || key === 'turnId')) return null
  return value
}

const lines = new WeakMap<object, string>()

/** The event as it goes over the wire. Written once, however many follow. */
export function lineOf(event: Event | WireEvent): string {
  const known = lines.get(event)
  if (known !== undefined) return known
  const line = JSON.stringify(event, plain)
  lines.set(event, line)
  return line
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
