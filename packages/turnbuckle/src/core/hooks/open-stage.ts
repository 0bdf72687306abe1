import { interrupted } from '../base/errors.ts'
import type { Maybe } from '../base/maybe.ts'
import { isThenable } from '../base/ports.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { acceptDirective } from './accept-directive.ts'
import { applyErrorPolicy } from './apply-error-policy.ts'
import { beginStageSpan } from './begin-stage-span.ts'
import { callHook } from './call-hook.ts'
import { enterStage } from './enter-stage.ts'
import { appliesTo } from './hook-set.ts'
import { leaveReopened } from './leave-reopened.ts'
import { runThroughWraps } from './run-through-wraps.ts'

/** Opens one stage. Every stage of every turn is opened here and nowhere else, but for the calls of a batch: it enters them all before it runs the first. */
export function openStage(frame: StageFrame): Promise<StageFrame> {
  const { turn } = frame
  // The turn is parked: it waits for a person without a process. This stage goes on where it is resumed, so nothing here comes back to its hooks.
  if (turn.phase === 'parked') return new Promise(() => {})
  const endSpan = turn.traced ? beginStageSpan(frame) : undefined
  const isFromLog = turn.replay.restoreLeft(frame)
  if (!isFromLog) return runStage(frame, enterStage(frame), endSpan)
  endSpan?.()
  return Promise.resolve(frame)
}

/**
 * Runs one stage, from the top down: its before hooks (`entering`: a batch has begun those of its calls already), the body inside its wraps, after hooks,
 * the error policy. Never rejects: whatever goes wrong is the frame's status and error.
 */
export async function runStage(
  frame: StageFrame,
  entering: Maybe<void>,
  whenLeft: (() => void) | undefined,
): Promise<StageFrame> {
  if (entering) await entering
  if (frame.status === 'open')
    try {
      if (frame.turn.interrupted) throw interrupted()
      const result = runThroughWraps(frame, 0, frame.input, frame.cancel)
      frame.succeed(isThenable(result) ? await result : result)
    } catch (error) {
      frame.fail(error)
    }
  if (frame.hooks.after.length) await runAfterHooks(frame)
  if (frame.status === 'failed' || frame.status === 'skipped') await applyErrorPolicy(frame)
  frame.turn.replay.noteLeft(frame)
  whenLeft?.()
  return frame
}

/** After hooks always all run, whatever happened to the stage. A turn interrupted while it is resumed first leaves the stages that were open inside. */
function runAfterHooks(frame: StageFrame): Promise<void> {
  if (!frame.turn.interrupted) return callAfterHooks(frame)
  return leaveReopened(frame.turn, callAfterHooks, frame).then(() => callAfterHooks(frame))
}

export async function callAfterHooks(frame: StageFrame): Promise<void> {
  if (frame.result !== undefined) frame.stage.show?.(frame.turn.step, frame.result)
  for (const entry of frame.hooks.after) {
    if (!appliesTo(entry, frame)) continue
    try {
      acceptDirective(frame, entry, await callHook(frame, entry))
    } catch {
      // Only an interrupt throws here: it cut this after hook off, the others still run.
    }
  }
}
