import type { Schedule } from '../stored/stored-schedules.ts'
import type { ScheduledOrder } from './turn-runner.ts'

/** The turn of a schedule at one of its times. Whoever orders it, and however often, it is the same turn. */
export const dueTurn = (
  conversationId: string,
  { id, making, at }: Pick<Schedule, 'id' | 'making' | 'at'>,
): ScheduledOrder => ({ conversationId, turnId: `turn_${id}_${making}_${at}`, due: { schedule: id, at } })
