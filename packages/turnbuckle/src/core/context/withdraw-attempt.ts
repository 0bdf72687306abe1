import type { Context } from '../hooks/hook-types.ts'
import { HookContext } from './hook-context.ts'

/** Takes back what a failed attempt at the model has shown, before the wait for the next one. A hook's own call has shown nothing. */
export function withdrawAttempt(ctx: Context, reason: string): void {
  const { stage, turn } = HookContext.frameOf(ctx)
  if (stage.gives === 'reply' && !stage.calledByHook && !turn.over) turn.step.dropAttempt(reason)
}
