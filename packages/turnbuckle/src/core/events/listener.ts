import type { Event, MessageDelta } from './events.ts'

/** Follows a conversation. Deltas are not in the log: only listeners get them. */
export interface Listener {
  event(event: Event): void
  delta(delta: Delta): void
}

/** Reads one turn. */
export interface TurnListener {
  event(event: Event): void
  /** Takes a delta before it is made an event: deltas are many. */
  delta(delta: MessageDelta): void
}

export interface Delta {
  readonly turnId: string
  readonly messageId: string
  readonly text: string
  /** Characters of this message (or of its reasoning) before these. */
  readonly offset: number
  readonly reasoning: boolean
}
