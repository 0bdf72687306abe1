import { moveTip } from './snapshot.ts'
import type { Run } from './turn-state.ts'

/** A wrap runs the whole turn once more: from where it began, on a branch of its own. */
export function beginAgain(run: Run): void {
  if (!run.ending || run.over) return
  run.ending = undefined
  run.recorded = false
  run.halted = false
  run.queueClosed = false
  run.noted.length = 0
  run.openCalls = []
  run.dropAttempt('the turn began again')
  moveTip(run, run.origin)
}
