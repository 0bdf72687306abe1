import type { Event } from 'turnbuckle'
import { storeFaultWords, withoutHolder, wordsOfFault } from '../../base/store-faults.ts'

/**
 * An event that the log does not have, in words for a client: those of the store's own errors name files and hosts of the server. `error`:
 * that of the turn whose end it is, where it is known.
 */
export function withoutStoreDetails(event: Event, error?: unknown): Event {
  if (event.seq !== undefined) return event
  if (event.type === 'agent.event') {
    const inside = withoutStoreDetails(event.event)
    return inside === event.event ? event : { ...event, event: inside }
  }
  if (event.type === 'log.refused') return { ...event, error: wordsOfFault(event.code) ?? withoutHolder(event.error) }
  if (event.type !== 'turn.failed' || event.by !== 'store') return event
  const words = error === undefined ? wordsOfFault('store.failed') : storeFaultWords(error)
  return words === undefined ? event : { ...event, reason: words, error: words }
}
