import type { Told } from '../run/protocol.ts'

export const paces = ['slow', 'steady', 'instant'] as const
/** The speed at which a turn is shown. */
export type Pace = (typeof paces)[number]

const factors: Readonly<Record<Pace, number>> = { slow: 2.6, steady: 1, instant: 0 }

/** Milliseconds for which a thing that was told stands before the next is shown. */
export const dwell = (told: Told, pace: Pace): number => factors[pace] * ownDwell(told)

function ownDwell(told: Told): number {
  switch (told.kind) {
    case 'opened':
      return told.span.kind === 'hook' ? 260 : told.span.stage === 'append' ? 60 : 150
    case 'closed':
      return told.span.directive ? 1100 : told.span.kind === 'hook' ? 120 : 20
    case 'event':
      return eventDwell(told.event.type)
    case 'ended':
      return told.more ? 900 : 0
    default:
      return 0
  }
}

function eventDwell(type: string): number {
  if (type === 'message.delta') return 55
  if (type === 'message.discarded') return 1100
  if (type === 'head.moved') return 700
  return ['message.added', 'tool.executing', 'tool.completed', 'tool.failed'].includes(type) ? 260 : 0
}
