import { type Call, isToolResult, type Message, type ResultStatus, resultMessage, textOf } from '../base/message.ts'
import { isPromise } from '../base/ports.ts'
import { openCallsAt } from '../history/open-calls.ts'
import type { Node } from '../history/tree.ts'
import type { Wait } from '../hooks/each.ts'
import { looksFirst } from '../hooks/hook-set.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import { record } from './record-message.ts'
import type { TurnState } from './turn-state.ts'

/** The next result that is owed: what is finished keeps its result, the rest gets `status`. */
function owed(turn: TurnState, status: ResultStatus, reason: unknown): Message {
  const call = turn.openCalls[0] as Call
  let result = turn.finished.get(call.id)
  if (!result) {
    result = { status, value: reason }
    turn.finish(call, result, 0)
  }
  return resultMessage(turn.ids.result(call), call, result, turn.editedArgs(call))
}

/** The results of a batch, in call order. A result that a hook keeps from being appended is recorded without its value. */
export function recordResults(
  frame: StageFrame,
  reason = 'The call was not run.',
  status: ResultStatus = 'blocked',
): Wait {
  const { turn } = frame
  while (turn.openCalls.length) {
    const left = turn.openCalls.length
    const message = owed(turn, status, reason)
    const appending = turn.append(frame, message)
    if (isPromise(appending)) return recordRest(appending, frame, message, left, reason, status)
    recordWithheld(turn, message, left)
    if (turn.over) return
  }
}

async function recordRest(
  appending: Promise<unknown>,
  frame: StageFrame,
  message: Message,
  left: number,
  reason: string,
  status: ResultStatus,
): Promise<void> {
  await appending
  recordWithheld(frame.turn, message, left)
  if (!frame.turn.over) return recordResults(frame, reason, status)
}

/** Where as many calls are open as before, a hook has kept the result from being recorded. */
function recordWithheld(turn: TurnState, message: Message, left: number): void {
  if (!turn.over && turn.openCalls.length === left) record(turn, withheld(message))
}

/** The hook may have been there to redact it. */
const withheld = (message: Message): Message => ({
  ...message,
  content: message.content.map(part =>
    part.type === 'result'
      ? { ...part, status: 'error', value: 'Withheld: it could not be recorded as it was.' }
      : part,
  ),
})

/** Every call on the branch gets its result; also one that a rewind or fork has left open. */
export function settleCalls(frame: StageFrame, reason?: string, status: ResultStatus = 'blocked'): Wait {
  const { turn } = frame
  if (!turn.openCalls.length) turn.openCalls = openCallsAt(turn.tip)
  return recordResults(frame, reason, status)
}

/** The same without hooks, at once: a hook that goes back to a snapshot does not wait. */
export function settleCallsNow(turn: TurnState): void {
  turn.openCalls = openCallsAt(turn.tip)
  while (turn.openCalls.length) record(turn, owed(turn, 'interrupted', 'Not run on this branch.'))
}

/** Interjections become messages, first in, first out. */
export async function applyQueue(frame: StageFrame): Promise<void> {
  const { turn } = frame
  for (let next = turn.queue[0]; next && !turn.over; next = turn.queue[0]) {
    const message = interjection(turn, next.text)
    const node = (await turn.append(frame, message)) as Node | undefined
    // An interrupt meanwhile has recorded what was still in the queue.
    if (turn.over) return
    turn.queue.shift()
    turn.emit({ type: 'interjection.applied', text: textOf(node?.message), messageId: message.id })
  }
}

const interjection = (turn: TurnState, text: string): Message => ({
  id: turn.ids.of(`i${turn.interjections++}`),
  role: 'user',
  content: [{ type: 'text', text }],
})

/** Before a turn ends: what was shown is kept, what was called is answered, what was said is recorded. */
export async function settleTurn(frame: StageFrame): Promise<void> {
  const { turn } = frame
  const { ending } = turn
  // An interrupt has settled it already.
  if (turn.over) return
  if (!turn.recorded && !ending?.refused && turn.message.content.length) await turn.append(frame, turn.message)
  const left = unrecorded(turn)
  if (left) {
    await turn.append(frame, left)
    turn.dropAttempt('it could not be recorded')
  }
  await settleCalls(frame, ending?.status === 'completed' ? undefined : ending?.reason)
  turn.queueClosed = true
  await applyQueue(frame)
  if (ending?.say)
    await turn.append(frame, {
      id: turn.ids.of('say'),
      role: 'assistant',
      content: [{ type: 'text', text: ending.say }],
      by: ending.by,
    })
}

/** A reply that was not recorded: whole when the model had finished, else the text that was shown, marked. */
function unrecorded(turn: TurnState): Message | undefined {
  const { reply } = turn.draft
  if (reply && !turn.replyRecorded && reply.content.length) return reply
  const partial = turn.attempt?.partial()
  return partial
}

/** The same for an interrupt: at once, without hooks, because the terminal event must not wait for anyone. */
export function settleNow(turn: TurnState): void {
  const partial = turn.attempt?.partial()
  // What hooks would have looked at first (a redactor) is not recorded without them.
  const unseen = looksFirst(turn.agent.chain('append', turn))
  if (!turn.recorded && !unseen && !looksFirst(turn.agent.chain('input', turn))) record(turn, turn.message)
  if (partial) record(turn, partial)
  while (turn.openCalls.length) {
    const { status, value } = cutOff(turn, turn.openCalls[0] as Call)
    record(turn, owed(turn, status, value))
  }
  turn.queueClosed = true
  // Interjections go on to the next turn instead.
  if (unseen) return
  for (const { text } of turn.queue.splice(0)) {
    const message = interjection(turn, text)
    record(turn, message)
    turn.emit({ type: 'interjection.applied', text, messageId: message.id })
  }
}

/** How a call ends that an interrupt found open: what was refused stays refused, and what had not begun has not run. */
function cutOff({ batch }: TurnState, call: Call): { readonly status: ResultStatus; readonly value: unknown } {
  const item = batch.find(each => each.call.id === call.id)
  if (!item || item.started || item.begun)
    return { status: 'interrupted', value: 'Interrupted. It may have completed.' }
  const { status, result } = item.frame
  return status === 'skipped' && isToolResult(result)
    ? result
    : { status: 'interrupted', value: 'Interrupted before it ran.' }
}
