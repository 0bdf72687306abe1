import { endLeftCall } from '../tools/left-calls.ts'
import type { TurnState } from '../types/turn-state.ts'
import { endTurn, leaveTurn } from './end-turn.ts'
import { settleWithoutHooks } from './settle-turn.ts'
import { turnResult, withUsage } from './turn-result.ts'

/**
 * Ends a turn now. The history is made valid and the terminal event is told before anything else may run: a tool, a
 * model or a hook that ignores its signal delays nothing. The rest then unwinds with a fresh signal and a deadline.
 */
export function interruptTurn(turn: TurnState, reason: string): void {
  if (turn.over || turn.interrupted) return
  if (turn.phase === 'waiting') {
    turn.whenBegun(() => interruptTurn(turn, reason))
    return
  }
  const left = turn.replay.catchUp()
  turn.settle({ status: 'interrupted', reason: turn.hooks.clean(reason), by: 'person' })
  settleWithoutHooks(turn)
  turn.topmost.conversation.requests.interrupt(turn)
  endTurn(turn, withUsage(turn, turnResult(turn)))
  for (const child of turn.children) interruptTurn(child, reason)
  for (const call of left) endLeftCall(turn, call, reason)
  turn.abort(reason)
  turn.time.endWaits(turn.agent.cleanupMs)
}

/** The words of a reason: any value may come, by an abort signal for instance, also one that cannot be read. */
export function interruptReason(reason: unknown): string {
  try {
    return String(reason ?? 'interrupted')
  } catch {
    return 'interrupted'
  }
}

/** Ends a turn whose conversation is being deleted, as an interrupt does. One that has not begun ends at once: no log has it. */
export function interruptDeleted(turn: TurnState): void {
  const reason = 'the conversation was deleted'
  if (turn.phase !== 'waiting') {
    interruptTurn(turn, reason)
    return
  }
  turn.settle({ status: 'interrupted', reason, by: 'person' })
  const result = turnResult(turn)
  const { text, usage } = result
  leaveTurn(turn, result, { type: 'turn.interrupted', outcome: 'interrupted', reason, by: 'person', text, usage })
  turn.abort(reason)
}
