import { moveTip } from './snapshot.ts'
import type { TurnState } from './turn-state.ts'

/** A wrap runs the whole turn once more: from where it began, on a branch of its own. */
export function beginAgain(turn: TurnState): void {
  if (!turn.ending || turn.over) return
  turn.ending = undefined
  turn.recorded = false
  turn.halted = false
  turn.queueClosed = false
  turn.noted.length = 0
  turn.openCalls = []
  turn.dropAttempt('the turn began again')
  moveTip(turn, turn.origin)
}
