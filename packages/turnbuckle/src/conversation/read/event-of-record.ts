import type { Event } from '../../core/events/events.ts'
import type { LogRecord } from '../stores/driver.ts'

/** A record of the log as the event that it was. */
export const eventOf = ({ type, seq, turn, body }: Omit<LogRecord, 'n'>, conversationId: string): Event =>
  ({ ...body, type, seq, ...(turn ? { turnId: turn } : {}), conversationId }) as unknown as Event
