import { none } from '../base/lists.ts'
import type { TurnState } from '../types/turn-state.ts'
import { moveTip } from './take-snapshot.ts'

/** A wrap runs the whole turn once more: from where it began, on a branch of its own. */
export function restartTurn(turn: TurnState): void {
  if (!turn.steering.ending || turn.over) return
  turn.restart()
  turn.branch.recordOwnMessage(turn.link.goesOn === true)
  turn.branch.setOpenCalls(none)
  turn.step.dropAttempt('the turn began again')
  moveTip(turn, turn.branch.origin)
}
