import type { Frame } from './frame.ts'
import { callsOf, type Message, type ResultStatus, resultMessage } from './message.ts'
import { isPromise } from './ports.ts'
import type { Run } from './run.ts'

/** The results that are still owed, in call order: what is finished keeps its result, the rest gets `status`. */
function* owed(run: Run, status: ResultStatus, reason: string): Generator<Message> {
  for (const call of [...run.openCalls]) {
    const result = run.finished.get(call.id) ?? { status, value: reason }
    if (!run.finished.has(call.id)) run.finish(call, result, 0)
    yield resultMessage(run.resultId(call), call, result)
  }
}

/** The results of a batch, in call order. */
export async function recordResults(frame: Frame): Promise<void> {
  for (const message of owed(frame.run, 'blocked', 'The call was not run.')) {
    const recording = frame.run.append(frame, message)
    if (isPromise(recording)) await recording
  }
}

/** Every call on the branch gets its result; also one that a rewind or fork has left open. */
export async function settleCalls(frame: Frame, reason: string, status: ResultStatus = 'blocked'): Promise<void> {
  const { run } = frame
  const last = run.tip?.message
  if (!run.openCalls.length && last?.role === 'assistant') run.openCalls = callsOf(last)
  for (const message of owed(run, status, reason)) await run.append(frame, message)
}

/** Interjections become messages, first in, first out. */
export async function applyQueue(frame: Frame): Promise<void> {
  const { run } = frame
  for (let next = run.queue.shift(); next; next = run.queue.shift()) {
    const message = interjection(run, next.text)
    await run.append(frame, message)
    run.emit({ type: 'interjection.applied', text: next.text, messageId: message.id })
  }
}

const interjection = (run: Run, text: string): Message => ({
  id: `${run.id}.i${run.interjections++}`,
  role: 'user',
  content: [{ type: 'text', text }],
})

/** Before a turn ends: what was shown is kept, what was called is answered, what was said is recorded. */
export async function settleTurn(frame: Frame): Promise<void> {
  const { run } = frame
  const { ending } = run
  if (!run.recorded && !ending?.refused) await run.append(frame, run.message)
  const left = unrecorded(run)
  if (left) await run.append(frame, left)
  await settleCalls(frame, ending?.reason ?? 'the turn ended')
  run.queueClosed = true
  await applyQueue(frame)
  if (ending?.say)
    await run.append(frame, {
      id: `${run.id}.say`,
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
  if (!run.recorded) run.record(run.message)
  if (partial) run.record(partial)
  for (const message of owed(run, 'interrupted', 'Interrupted. It may have completed.')) {
    run.record(message)
  }
  run.queueClosed = true
  for (const { text } of run.queue.splice(0)) {
    const message = interjection(run, text)
    run.record(message)
    run.emit({ type: 'interjection.applied', text, messageId: message.id })
  }
}
