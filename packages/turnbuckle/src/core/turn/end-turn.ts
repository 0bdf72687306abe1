import type { TurnResult } from '../agent/turn.ts'
import { messageOf } from '../base/errors.ts'
import type { CustomEvent, EventBody } from '../events/events.ts'
import type { TurnState } from './turn-state.ts'

/** Tells the world how the turn ended. Its last event. */
export function conclude(turn: TurnState, result: TurnResult): void {
  if (turn.over) return
  const { journal } = turn
  const { status, reason, by, text, usage, error } = result
  turn.stateNotes.keepHere()
  // Before it is told: what a hook does about it is no more of this turn.
  close(turn, result)
  const failed = error === undefined ? {} : { error: messageOf(error) }
  turn.stateNotes.flush()
  journal?.note(turn.id, { note: 'decisions', list: turn.decisions })
  turn.conversation.tell({ type: `turn.${status}`, outcome: status, reason, by, text, usage, ...failed }, turn)
  if (!journal) turn.settle(result)
  else
    journal.barrier().then(
      () => turn.settle(result),
      error => leaveUnkept(turn, result, error),
    )
}

/** Leaves the turn without a word in the log. Who listens is told, outside the numbers. */
export function leave(turn: TurnState, result: TurnResult, told: EventBody | CustomEvent): void {
  close(turn, result)
  turn.conversation.tell(told, turn, 'unkept')
  turn.settle(result)
}

/** The same for one that the log could not keep. */
export function leaveUnkept(turn: TurnState, result: TurnResult, error: unknown): void {
  const { text, usage } = result
  const failure = { reason: messageOf(error), by: 'store', text, usage }
  leave(
    turn,
    { ...result, ...failure, status: 'failed', error },
    { ...failure, type: 'turn.failed', outcome: 'failed', error: failure.reason },
  )
}

function close(turn: TurnState, result: TurnResult): void {
  turn.result = result
  turn.queueClosed = true
  turn.over = true
}
