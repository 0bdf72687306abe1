import { type ErrorKind, isHookError, isStopped, isTurnbuckleError, kindOf } from '../base/errors.ts'
import { fail } from '../directives/directives.ts'
import { noteDirective } from '../directives/note-directive.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import { acceptDirective } from './accept-directive.ts'
import { callHook } from './call-hook.ts'

/**
 * A stage's error goes to `onError`, which may steer; if no hook does, the policy decides by kind. Retrying is a wrap's business,
 * and over by now.
 */
export async function applyErrorPolicy(frame: StageFrame): Promise<void> {
  const error = frame.status === 'failed' ? frame.error : frame.stage.refusal?.(frame)
  if (error === undefined) return
  frame.turn.step.noteError(error)
  const steered = await tellErrorHooks(frame, error)
  if ((!steered || isHookError(error)) && !wasStopped(frame, error)) decideByKind(frame, error)
}

/** Calls the `onError` hooks. True where the directive of one steers the turn, so that the policy has nothing to decide. */
async function tellErrorHooks(frame: StageFrame, error: unknown): Promise<boolean> {
  let steered = false
  for (const entry of frame.hooks.onError) {
    try {
      if (acceptDirective(frame, entry, await callHook(frame, entry, error))) steered = true
    } catch {
      // Only an interrupt throws here: the other onError hooks still hear of the error.
    }
  }
  return steered
}

/** The hook failed because its own model call was not allowed any more: that directive ends the turn by itself. */
const wasStopped = ({ turn }: StageFrame, error: unknown): boolean =>
  turn.halting && isTurnbuckleError(error) && (isStopped(error) || isStopped(error.cause))

function decideByKind(frame: StageFrame, error: unknown): void {
  const { turn, stage } = frame
  if (frame.status !== 'failed' && frame.status !== 'skipped') return
  // A hook's `fail(error)` counts by itself.
  if (frame.noted.list.some(({ directive }) => directive.type === 'fail' && directive.value === error)) return
  const kind = kindOf(error, stage.errorKind)
  // A turn cannot go on from a message that is not recorded, nor past a hook that fails closed although the agent ignores hooks' failures.
  if (!stage.required && kind !== 'hook' && (turn.agent.errors[kind] ?? defaultPolicy(frame, kind)) === 'ignore') return
  const { by = stage.name, at = stage.name } = isTurnbuckleError(error) ? error : {}
  noteDirective(frame, fail(error), by, at)
}

/**
 * The model is told of a tool's error and goes on; a hook's own model call fails that hook, whose failure mode decides; all other
 * errors end the turn, those of a store always.
 */
const defaultPolicy = ({ stage }: StageFrame, kind: ErrorKind): 'stop' | 'ignore' =>
  stage.outlivesErrors && kind !== 'store' ? 'ignore' : 'stop'
