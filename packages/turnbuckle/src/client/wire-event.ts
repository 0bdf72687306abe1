import { nullFields } from '../core/events/unset-fields.ts'
import type { WireEvent } from './wire.ts'

/** An event with the fields that the wire has: `parentId: null` of a first message. The same live and read from a log. */
export function wireEvent(event: WireEvent): object {
  if (event.type === 'agent.event' && 'event' in event) return { ...event, event: wireEvent(event.event as WireEvent) }
  const nulls = nullFields(event.type)
  if (!nulls) return event
  const unset = Object.keys(nulls).filter(name => (event as unknown as Record<string, unknown>)[name] === undefined)
  return unset.length ? { ...event, ...Object.fromEntries(unset.map(name => [name, null])) } : event
}
