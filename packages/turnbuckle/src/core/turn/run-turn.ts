import type { TurnResult } from '../agent/turn.ts'
import { TurnbuckleError } from '../base/errors.ts'
import { asMessage } from '../base/message.ts'
import type { Past } from '../durable/journal-port.ts'
import { startedEvent } from '../events/shared-conversation.ts'
import { closeCalls } from '../history/close-calls.ts'
import { leaveOpen, perform } from '../hooks/open-stage.ts'
import { Frame } from '../hooks/stage-frame.ts'
import { conclude } from './end-turn.ts'
import { breakRun } from './park-turn.ts'
import { settleTurn } from './settle-turn.ts'
import { endAsNoted } from './turn-ending.ts'
import { resultOf } from './turn-result.ts'
import type { Run } from './turn-state.ts'

/** Works a turn to its end. Never throws: whatever goes wrong is the turn's outcome. */
export async function work(run: Run): Promise<void> {
  const root = new Frame(run, run.pipeline.part('turn'), undefined, run.message)
  run.root = root
  try {
    if (run.journal) await begin(run)
    if (!run.over) await perform(root)
    if (run.past && run.interrupted) await leaveOpen(run)
    if (!run.over) conclude(run, await outcome(root))
  } catch (error) {
    if (run.early) {
      // It may be resumed when the reason is gone.
      if (run.past && !run.over) run.thread.unfinished.set(run.id, run.past)
      breakRun(run, error)
    }
    if (!run.over) {
      run.ending = { status: 'failed', reason: String(error), by: 'turn', error }
      conclude(run, resultOf(run))
    }
  }
  if (!run.parked) run.release()
}

/** On a log: becomes the writer, and what was sent is durable before anything is done about it. */
async function begin(run: Run): Promise<void> {
  const { journal, past, message } = run
  if (!journal) return
  await journal.open()
  await journal.readAll()
  if (run.over) return
  // Another process may have moved on, and ended in the middle of calls.
  if (!past && run.origin) run.tip = run.origin = closeCalls(run.thread, run.origin)
  run.thread.aside?.keepMadeUp()
  // Those of this turn alone, and of whoever called this sub-agent, protect it as well.
  const { guards } = run.hooks
  if (past) {
    const missing = past.guards.filter(name => !guards.includes(name))
    if (missing.length)
      throw new TurnbuckleError(
        'guard.missing',
        `The turn was protected by ${missing.join(', ')}. Add it again to resume.`,
      )
    withdrawAbandoned(run, past)
  } else {
    run.emit(startedEvent(run))
    journal.note(run.id, { note: 'turn', message, parentId: run.origin?.id, guards })
  }
  run.begun()
  await journal.barrier()
}

/** What was shown of it stays in the log: it is seen until the model has spoken again. */
function withdrawAbandoned(run: Run, { abandoned, partial }: Past): void {
  for (const messageId of abandoned) {
    const text = messageId === partial?.messageId ? partial.text : ''
    run.emit({ type: 'message.discarded', messageId, reason: 'the process ended', ...(text ? { text } : {}) })
  }
}

async function outcome(root: Frame): Promise<TurnResult> {
  const { run } = root
  if (!run.ending) return withoutLoop(root)
  const result = (root.result as TurnResult | undefined) ?? resultOf(run)
  // Once it has an end only a failure outranks that: of an after hook of the turn, or of what recorded the end.
  const failed = run.noted.some(({ directive }) => directive.type === 'fail')
  if (!failed || run.ending.status === 'failed') return result
  run.ending = undefined
  endAsNoted(run)
  const { status, reason, by, error } = resultOf(run)
  return { ...result, status, reason, by, error }
}

/** A hook has answered or ended the turn, or its body broke. */
async function withoutLoop(root: Frame): Promise<TurnResult> {
  const { run, decided, status } = root
  run.message = asMessage(root.input, 'user', run.message.id)
  endAsNoted(run)
  if (root.result !== undefined && (status === 'done' || decided?.directive === 'skip')) {
    const { text } = root.result as TurnResult
    run.ending = { status: 'completed', reason: 'skip', by: decided?.by ?? 'turn', say: text }
  }
  await settleTurn(root)
  return resultOf(run)
}
