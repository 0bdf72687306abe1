import type { Event } from '../core/events/events.ts'
import type { Queued } from './conversation-state.ts'

type InterjectionEvent = Extract<Event, { type: `interjection.${string}` }>

/** The interjections that wait after an event about one. The first of a turn is applied first; the last of a person is taken back first. */
export function queuedAfter(queued: readonly Queued[], event: InterjectionEvent): readonly Queued[] {
  const { turnId = '' } = event
  switch (event.type) {
    case 'interjection.queued': {
      const text = event.withheld ? '…' : event.text
      return [...queued, { turnId, text, ...(event.by === undefined ? {} : { by: event.by }) }]
    }
    case 'interjection.withdrawn':
      return without(
        queued,
        queued.findLastIndex(one => one.turnId === turnId && one.by === undefined),
      )
    case 'interjection.applied':
      return without(
        queued,
        queued.findIndex(one => one.turnId === turnId),
      )
    default:
      return event satisfies never
  }
}

const without = (queued: readonly Queued[], at: number): readonly Queued[] => queued.filter((_, i) => i !== at)
