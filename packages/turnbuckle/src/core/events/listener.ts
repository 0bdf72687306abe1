import type { Event } from './events.ts'

/** Follows a conversation. Deltas are not in the log: only listeners get them. */
export interface Listener {
  event(event: Event): void
  delta(delta: Delta): void
}

/** Reads one turn. */
export interface TurnListener {
  event(event: Event): void
  /** Takes a delta without an object around it: deltas are many. */
  hear(messageId: string, text: string, offset: number, reasoning: boolean): void
}

/** The place where an event is kept. */
export type Keeping =
  /** In the log and in its turn, with a number; told when the log has it. */
  | 'kept'
  /** In its turn, without a number, told at once: the log is lost, or refuses it. */
  | 'unkept'
  /** Nowhere: news of the moment, told behind the events that are kept so far. */
  | 'passing'

export interface Delta {
  readonly turnId: string
  readonly messageId: string
  readonly text: string
  /** Characters of this message (or of its reasoning) before these. */
  readonly offset: number
  readonly reasoning: boolean
}
