import type { Event } from '../events/events.ts'
import { unsetFields } from '../events/unset-fields.ts'
import type { LogRecord } from './log-port.ts'

/** The record that keeps an event. The conversation's id is not in it: a log has one conversation. */
export function recordOf(event: Event): LogRecord {
  const { type, seq, turnId, conversationId, ...body } = event as Event & Record<string, unknown>
  return { seq, turn: turnId, type, body }
}

/** The event that a record keeps, with every field that it had when it was told. */
export const eventOf = ({ type, seq, turn, body }: LogRecord, conversationId: string): Event =>
  ({ ...unsetFields(type), ...body, type, seq, ...(turn ? { turnId: turn } : {}), conversationId }) as unknown as Event
