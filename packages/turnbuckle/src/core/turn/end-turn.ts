import type { TurnResult } from '../agent/turn.ts'
import { messageOf } from '../base/errors.ts'
import type { CustomEvent, EventBody } from '../events/events.ts'
import type { Run } from './turn-state.ts'

/** Tells the world how the turn ended. Its last event. */
export function conclude(run: Run, result: TurnResult): void {
  if (run.over) return
  const { journal } = run
  const { status, reason, by, text, usage, error } = result
  run.stateNotes.keepHere()
  // Before it is told: what a hook does about it is no more of this turn.
  close(run, result)
  const failed = error === undefined ? {} : { error: messageOf(error) }
  run.stateNotes.flush()
  journal?.note(run.id, { note: 'decisions', list: run.decisions })
  run.thread.emit({ type: `turn.${status}`, outcome: status, reason, by, text, usage, ...failed }, run)
  if (!journal) run.settle(result)
  else
    journal.barrier().then(
      () => run.settle(result),
      error => leaveUnkept(run, result, error),
    )
}

/** Leaves the turn without a word in the log. Who listens is told, outside the numbers. */
export function leave(run: Run, result: TurnResult, told: EventBody | CustomEvent): void {
  close(run, result)
  run.thread.tell(told, run)
  run.settle(result)
}

/** The same for one that the log could not keep. */
export function leaveUnkept(run: Run, result: TurnResult, error: unknown): void {
  const { text, usage } = result
  const failure = { reason: messageOf(error), by: 'store', text, usage }
  leave(
    run,
    { ...result, ...failure, status: 'failed', error },
    { ...failure, type: 'turn.failed', outcome: 'failed', error: failure.reason },
  )
}

function close(run: Run, result: TurnResult): void {
  run.result = result
  run.queueClosed = true
  run.over = true
}
