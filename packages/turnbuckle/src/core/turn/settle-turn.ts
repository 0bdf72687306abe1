import { type Call, isToolResult, type Message, type ResultStatus, resultMessage, textOf } from '../base/message.ts'
import { isPromise } from '../base/ports.ts'
import { openCallsAt } from '../history/open-calls.ts'
import type { Node } from '../history/tree.ts'
import type { Wait } from '../hooks/each.ts'
import { looksFirst } from '../hooks/hook-set.ts'
import type { Frame } from '../hooks/stage-frame.ts'
import { record } from './record-message.ts'
import type { Run } from './turn-state.ts'

/** The next result that is owed: what is finished keeps its result, the rest gets `status`. */
function owed(run: Run, status: ResultStatus, reason: unknown): Message {
  const call = run.openCalls[0] as Call
  let result = run.finished.get(call.id)
  if (!result) {
    result = { status, value: reason }
    run.finish(call, result, 0)
  }
  return resultMessage(run.names.result(call), call, result, run.editedArgs(call))
}

/** The results of a batch, in call order. A result that a hook keeps from being appended is recorded without its value. */
export function recordResults(frame: Frame, reason = 'The call was not run.', status: ResultStatus = 'blocked'): Wait {
  const { run } = frame
  while (run.openCalls.length) {
    const left = run.openCalls.length
    const message = owed(run, status, reason)
    const appending = run.append(frame, message)
    if (isPromise(appending)) return recordRest(appending, frame, message, left, reason, status)
    recordWithheld(run, message, left)
    if (run.over) return
  }
}

async function recordRest(
  appending: Promise<unknown>,
  frame: Frame,
  message: Message,
  left: number,
  reason: string,
  status: ResultStatus,
): Promise<void> {
  await appending
  recordWithheld(frame.run, message, left)
  if (!frame.run.over) return recordResults(frame, reason, status)
}

/** Where as many calls are open as before, a hook has kept the result from being recorded. */
function recordWithheld(run: Run, message: Message, left: number): void {
  if (!run.over && run.openCalls.length === left) record(run, withheld(message))
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
export function settleCalls(frame: Frame, reason?: string, status: ResultStatus = 'blocked'): Wait {
  const { run } = frame
  if (!run.openCalls.length) run.openCalls = openCallsAt(run.tip)
  return recordResults(frame, reason, status)
}

/** The same without hooks, at once: a hook that goes back to a snapshot does not wait. */
export function settleCallsNow(run: Run): void {
  run.openCalls = openCallsAt(run.tip)
  while (run.openCalls.length) record(run, owed(run, 'interrupted', 'Not run on this branch.'))
}

/** Interjections become messages, first in, first out. */
export async function applyQueue(frame: Frame): Promise<void> {
  const { run } = frame
  for (let next = run.queue[0]; next && !run.over; next = run.queue[0]) {
    const message = interjection(run, next.text)
    const node = (await run.append(frame, message)) as Node | undefined
    // An interrupt meanwhile has recorded what was still in the queue.
    if (run.over) return
    run.queue.shift()
    run.emit({ type: 'interjection.applied', text: textOf(node?.message), messageId: message.id })
  }
}

const interjection = (run: Run, text: string): Message => ({
  id: run.names.of(`i${run.interjections++}`),
  role: 'user',
  content: [{ type: 'text', text }],
})

/** Before a turn ends: what was shown is kept, what was called is answered, what was said is recorded. */
export async function settleTurn(frame: Frame): Promise<void> {
  const { run } = frame
  const { ending } = run
  // An interrupt has settled it already.
  if (run.over) return
  if (!run.recorded && !ending?.refused && run.message.content.length) await run.append(frame, run.message)
  const left = unrecorded(run)
  if (left) {
    await run.append(frame, left)
    run.dropAttempt('it could not be recorded')
  }
  await settleCalls(frame, ending?.status === 'completed' ? undefined : ending?.reason)
  run.queueClosed = true
  await applyQueue(frame)
  if (ending?.say)
    await run.append(frame, {
      id: run.names.of('say'),
      role: 'assistant',
      content: [{ type: 'text', text: ending.say }],
      by: ending.by,
    })
}

/** A reply that was not recorded: whole when the model had finished, else the text that was shown, marked. */
function unrecorded(run: Run): Message | undefined {
  const { reply } = run.draft
  if (reply && !run.replyRecorded && reply.content.length) return reply
  const partial = run.attempt?.partial()
  return partial
}

/** The same for an interrupt: at once, without hooks, because the terminal event must not wait for anyone. */
export function settleNow(run: Run): void {
  const partial = run.attempt?.partial()
  // What hooks would have looked at first (a redactor) is not recorded without them.
  const unseen = looksFirst(run.core.chain('append', run))
  if (!run.recorded && !unseen && !looksFirst(run.core.chain('input', run))) record(run, run.message)
  if (partial) record(run, partial)
  while (run.openCalls.length) {
    const { status, value } = cutOff(run, run.openCalls[0] as Call)
    record(run, owed(run, status, value))
  }
  run.queueClosed = true
  // Interjections go on to the next turn instead.
  if (unseen) return
  for (const { text } of run.queue.splice(0)) {
    const message = interjection(run, text)
    record(run, message)
    run.emit({ type: 'interjection.applied', text, messageId: message.id })
  }
}

/** How a call ends that an interrupt found open: what was refused stays refused, and what had not begun has not run. */
function cutOff({ batch }: Run, call: Call): { readonly status: ResultStatus; readonly value: unknown } {
  const item = batch.find(each => each.call.id === call.id)
  if (!item || item.started || item.begun)
    return { status: 'interrupted', value: 'Interrupted. It may have completed.' }
  const { status, result } = item.frame
  return status === 'skipped' && isToolResult(result)
    ? result
    : { status: 'interrupted', value: 'Interrupted before it ran.' }
}
