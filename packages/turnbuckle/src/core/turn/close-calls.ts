import { type Call, type Message, resultMessage, type ToolResult } from '../base/message.ts'
import { notRun, notRunHere, openCallsAt, withheldResult } from '../history/call-pairing.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { recordMessage } from './record-message.ts'

/** The message with the next result that is owed: a finished call keeps its result, any other gets `otherwise`. */
export function owedResult(turn: TurnState, otherwise: ToolResult): Message {
  const call = turn.branch.openCalls[0] as Call
  const finished = turn.calls.finished(call.id)
  if (!finished) turn.finish(call, otherwise, 0)
  return resultMessage(turn.ids.result(call), call, finished ?? otherwise, turn.editedArgs(call))
}

/** Records the results of the open calls, in call order. A result that a hook keeps from being appended is recorded without its value. */
export async function recordResults(frame: StageFrame, otherwise: ToolResult = notRun): Promise<void> {
  const { turn } = frame
  const { branch } = turn
  while (branch.openCalls.length && !turn.over) {
    const left = branch.openCalls.length
    const message = owedResult(turn, otherwise)
    await turn.append(frame, message)
    if (!turn.over && branch.openCalls.length === left) recordMessage(turn, withheldResult(message))
  }
}

/** Gives every call on the branch its result; also one that a rewind or fork has left open. */
export async function closeCalls(frame: StageFrame, otherwise: ToolResult = notRun): Promise<void> {
  const { branch } = frame.turn
  if (!branch.openCalls.length) branch.setOpenCalls(openCallsAt(branch.tip))
  if (branch.openCalls.length) await recordResults(frame, otherwise)
}

/** Gives every call on the branch its result, at once: a hook that goes back to a snapshot does not wait. */
export function closeCallsWithoutHooks(turn: TurnState): void {
  const { branch } = turn
  branch.setOpenCalls(openCallsAt(branch.tip))
  while (branch.openCalls.length) recordMessage(turn, owedResult(turn, notRunHere))
}
