import type { TurnResult } from '../agent/turn.ts'
import { messageOf } from '../base/errors.ts'
import { leave, leaveUnkept } from './end-turn.ts'
import { resultOf } from './turn-result.ts'
import type { Run } from './turn-state.ts'

/** The log cannot be written to. The turn fails here; the log says where another process can go on. */
export function breakRun(run: Run, error: unknown): void {
  if (run.over) return
  const reason = messageOf(error)
  run.ending = { status: 'interrupted', reason, by: 'store' }
  leaveUnkept(run, resultOf(run), error)
  for (const child of run.children) parkRun(child)
  letGo(run, reason)
  run.waits.end()
  run.cleanup.start(run.core.clock, run.core.cleanupMs)
}

/**
 * Stops working on a turn without ending it: a later process resumes it. No hook is told, because for them it goes on
 * there; whatever still runs here comes to nothing.
 */
export function parkRun(run: Run): void {
  if (run.over) return
  const reason = 'parked: another process may resume it'
  const result: TurnResult = { ...resultOf(run), status: 'interrupted', reason, by: 'agent' }
  run.park()
  leave(run, result, { type: 'turn.parked', reason })
  for (const child of run.children) parkRun(child)
  letGo(run, reason)
  run.topmost.thread.requests.drop(run)
  run.release()
}

function letGo(run: Run, reason: string): void {
  run.abort(reason)
  run.renewSignal()
  run.managed?.close()
}
