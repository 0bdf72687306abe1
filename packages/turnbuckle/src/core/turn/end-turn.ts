import { messageOf } from '../base/errors.ts'
import type { News } from '../events/news.ts'
import type { TurnResult } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'
import { hookValues } from './hook-values.ts'

/** Tells the terminal event, the turn's last. Who awaits the turn gets the result once the log has the event. */
export function endTurn(turn: TurnState, given: TurnResult): void {
  if (turn.over) return
  const { journal } = turn
  // After hooks of the turn may have changed states since the result was made.
  const result = { ...given, ...hookValues(turn) }
  const { status, reason, by, text, finishReason, usage, elsewhere, error } = result
  turn.stateLog.keepHere()
  // Before the event is told: whatever a hook does about it belongs to this turn no more.
  turn.close(result)
  const failed = error === undefined ? {} : { error: turn.hooks.clean(messageOf(error)) }
  const told = { ...(finishReason === undefined ? {} : { finishReason }), ...(elsewhere && { elsewhere }) }
  turn.stateLog.flush()
  journal?.note(turn.id, { note: 'decisions', list: turn.steering.decisions })
  const type = `turn.${status}` as const
  turn.conversation.tell({ type, outcome: status, reason, by, text, usage, ...told, ...failed }, turn)
  if (!journal) turn.resolve(result)
  else
    journal.barrier().then(
      () => turn.resolve(result),
      error => leaveUnkept(turn, result, error),
    )
}

/** Leaves the turn without an event in the log. Listeners are told, outside the sequence numbers. */
export function leaveTurn(turn: TurnState, result: TurnResult, told: News): void {
  turn.close(result)
  turn.conversation.tell(told, turn, 'unkept')
  turn.resolve(result)
}

/** Leaves a turn whose end the log could not keep. */
export function leaveUnkept(turn: TurnState, result: TurnResult, error: unknown): void {
  const { text, usage } = result
  const failure = { reason: messageOf(error), by: 'store', text, usage }
  leaveTurn(
    turn,
    { ...result, ...failure, status: 'failed', error },
    { ...failure, type: 'turn.failed', outcome: 'failed', error: failure.reason },
  )
}
