import { messageOf } from './errors.ts'
import type { TurnEnded } from './events.ts'
import type { TurnResult } from './turn.ts'

/** How a turn ends that the log could not keep, and what is told of it. */
export function unkept(result: TurnResult, error: unknown): [TurnResult, TurnEnded] {
  const reason = messageOf(error)
  const { text, usage } = result
  return [
    { ...result, status: 'failed', reason, by: 'store', error },
    { type: 'turn.failed', outcome: 'failed', reason, by: 'store', text, usage, error: reason },
  ]
}
