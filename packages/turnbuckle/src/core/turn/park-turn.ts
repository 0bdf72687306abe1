import { messageOf } from '../base/errors.ts'
import type { TurnResult } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'
import { leaveTurn, leaveUnkept } from './end-turn.ts'
import { turnResult } from './turn-result.ts'

/** The log cannot be written to. The turn fails here; the log says where another process can go on. */
export function abandonTurn(turn: TurnState, error: unknown): void {
  if (turn.over) return
  const reason = messageOf(error)
  turn.settle({ status: 'interrupted', reason, by: 'store', abandoned: true })
  leaveUnkept(turn, turnResult(turn), error)
  for (const child of turn.children) parkTurn(child)
  turn.abort(reason)
  turn.time.endWaits(turn.agent.cleanupMs)
}

/** Parks a turn for good: this process, too, would have to read it from the log to go on with it. */
export function leaveToLog(turn: TurnState): void {
  const family = [turn, ...turnsBelow(turn)]
  parkTurn(turn)
  for (const { agent, conversation } of family) if (!conversation.running.length) agent.forget(conversation.id)
}
const turnsBelow = ({ children }: TurnState): readonly TurnState[] =>
  [...children].flatMap(child => [child, ...turnsBelow(child)])

/**
 * Stops working on a turn without ending it: a later process resumes it. No hook is told, because for them it goes on
 * there; whatever still runs here comes to nothing.
 */
export function parkTurn(turn: TurnState): void {
  if (turn.over) return
  const reason = 'parked: another process may resume it'
  const result: TurnResult = { ...turnResult(turn), status: 'interrupted', reason, by: 'agent' }
  turn.park()
  leaveTurn(turn, result, { type: 'turn.parked', reason })
  for (const child of turn.children) parkTurn(child)
  turn.abort(reason)
  turn.topmost.conversation.requests.drop(turn)
  turn.release()
}
