import { catchUp } from '../durable/checkpoints.ts'
import { conclude } from './end-turn.ts'
import { settleNow } from './settle-turn.ts'
import { resultOf } from './turn-result.ts'
import type { Run } from './turn-state.ts'

/**
 * Ends a turn now. The history is made valid and the terminal event is told before anything else may run: a tool, a
 * model or a hook that ignores its signal delays nothing. What is left then unwinds with a fresh signal and a deadline.
 */
export function interruptRun(run: Run, reason: string): void {
  if (run.over || run.interrupted) return
  if (run.early) {
    run.early.push(() => interruptRun(run, reason))
    return
  }
  if (run.past) catchUp(run, run.past)
  run.ending = { status: 'interrupted', reason, by: 'person' }
  settleNow(run)
  run.topmost.thread.requests.interrupt(run)
  conclude(run, resultOf(run))
  for (const child of run.children) interruptRun(child, reason)
  run.abort(reason)
  run.renewSignal()
  run.managed?.close()
  run.waits.end()
  run.cleanup.start(run.core.clock, run.core.cleanupMs)
}
