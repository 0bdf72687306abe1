import { measureServer } from '../http/measure-server.mjs'
import { hasRoute } from './served.mjs'

/** Numbers of conversations that talk at once. */
export const COUNTS = [1, 10, 50, 200]
const KINDS = [
  { kind: 'sqlite', name: 'our server, on SQLite' },
  { kind: 'memory', name: 'our server, in memory' },
  { kind: 'route', name: 'AI SDK route that keeps nothing' },
]
export const turnsTitle = (name, count) => `turns over HTTP with ${count} at once: ${name}`
const idOf = (kind, count) => `served-many.${kind}.${count}`

/** Durable turns against the number of conversations, beside servers that keep nothing. */
export default {
  id: 'served-many',
  unloaded: true,
  kinds: KINDS,
  lines: KINDS.flatMap(({ kind, name }) =>
    COUNTS.map(count => ({ id: idOf(kind, count), title: turnsTitle(name, count), unit: '/s' })),
  ),
  async measure(subject, { ms }) {
    if (!subject.ships) return {}
    const values = {}
    for (const conversations of COUNTS)
      for (const { kind } of KINDS)
        if (kind !== 'route' || hasRoute())
          values[idOf(kind, conversations)] = (await measureServer(kind, { conversations, ms: ms * 3 })).perSecond
    return values
  },
}
