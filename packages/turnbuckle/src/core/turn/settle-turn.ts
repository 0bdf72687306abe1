import { type Call, isToolResult, type Message, resultMessage, type ToolResult, textOf } from '../base/message.ts'
import {
  cutOffRunning,
  cutOffWaiting,
  notRun,
  notRunBecause,
  notRunHere,
  openCallsAt,
  withheldResult,
} from '../history/call-pairing.ts'
import type { TreeNode } from '../history/tree.ts'
import { looksFirst } from '../hooks/hook-set.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { recordMessage } from './record-message.ts'

/** The message with the next result that is owed: a finished call keeps its result, any other gets `otherwise`. */
function owedResult(turn: TurnState, otherwise: ToolResult): Message {
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
export async function settleCalls(frame: StageFrame, otherwise: ToolResult = notRun): Promise<void> {
  const { branch } = frame.turn
  if (!branch.openCalls.length) branch.setOpenCalls(openCallsAt(branch.tip))
  if (branch.openCalls.length) await recordResults(frame, otherwise)
}

/** Gives every call on the branch its result without hooks, at once: a hook that goes back to a snapshot does not wait. */
export function settleCallsNow(turn: TurnState): void {
  const { branch } = turn
  branch.setOpenCalls(openCallsAt(branch.tip))
  while (branch.openCalls.length) recordMessage(turn, owedResult(turn, notRunHere))
}

/** Interjections become messages, first in, first out. */
export async function applyQueue(frame: StageFrame): Promise<void> {
  const { turn } = frame
  const { people } = turn
  while (people.queue.length && !turn.over) {
    const message = interjection(turn, people.queue[0] as string)
    const { result } = await turn.append(frame, message)
    // An interrupt meanwhile has recorded the rest of the queue.
    if (turn.over) return
    people.shift()
    turn.tell({
      type: 'interjection.applied',
      text: textOf((result as TreeNode | undefined)?.message),
      messageId: message.id,
    })
  }
}

const interjection = (turn: TurnState, text: string): Message => ({
  id: turn.ids.of(`i${turn.people.nextApplied()}`),
  role: 'user',
  content: [{ type: 'text', text }],
})

/** Before a turn ends: shown text is kept, calls are answered, interjections are recorded. An interrupt has done so already. */
export async function settleTurn(frame: StageFrame): Promise<void> {
  const { turn } = frame
  const { ending } = turn.steering
  if (turn.over) return
  if (!turn.branch.hasOwnMessage && !ending?.refused && turn.message.content.length)
    await turn.append(frame, turn.message)
  const reply = unrecordedReply(turn)
  if (reply) {
    await turn.append(frame, reply)
    turn.step.dropAttempt('it could not be recorded')
  }
  await settleCalls(frame, ending && ending.status !== 'completed' ? notRunBecause(ending.reason) : notRun)
  turn.people.close()
  await applyQueue(frame)
  if (ending?.say)
    await turn.append(frame, {
      id: turn.ids.of('say'),
      role: 'assistant',
      content: [{ type: 'text', text: ending.say }],
      by: ending.by,
    })
}

/** A reply that was not recorded: whole when the model had finished, else the text that was shown, marked as interrupted. */
function unrecordedReply({ step }: TurnState): Message | undefined {
  const { reply } = step.draft
  return reply && !step.replyRecorded && reply.content.length ? reply : step.attempt?.partial()
}

/** Settles an interrupted turn: at once, without hooks, because the terminal event must not wait for anyone. */
export function settleNow(turn: TurnState): void {
  const { branch, people, step, hooks } = turn
  const partial = step.attempt?.partial()
  // A person's message that hooks would have looked at first (a redactor) is not recorded without them. The partial reply was shown already.
  const unseen = looksFirst(hooks.chain('append'))
  if (!branch.hasOwnMessage && !unseen && !looksFirst(hooks.chain('input'))) recordMessage(turn, turn.message)
  if (partial) recordMessage(turn, partial)
  while (branch.openCalls.length) recordMessage(turn, owedResult(turn, cutOffResult(turn, branch.openCalls[0] as Call)))
  people.close()
  // Interjections that hooks have not seen go on to the next turn instead.
  if (unseen) return
  for (const text of people.takeAll()) {
    const message = interjection(turn, text)
    recordMessage(turn, message)
    turn.tell({ type: 'interjection.applied', text, messageId: message.id })
  }
}

/** The result of a call that an interrupt found open: a refused call stays refused, one that had not begun has not run. */
function cutOffResult({ calls }: TurnState, call: Call): ToolResult {
  const running = calls.batch.find(each => each.call.id === call.id)
  if (!running || running.hasBegun) return cutOffRunning
  const { status, result } = running.frame
  return status === 'skipped' && isToolResult(result) ? result : cutOffWaiting
}
