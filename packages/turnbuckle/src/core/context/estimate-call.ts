import type { Message } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { BeforeContext } from '../hooks/hook-types.ts'
import { estimateUsage } from '../model/estimate-usage.ts'
import { HookContext } from './hook-context.ts'

/** True where the model did not say what the last call of this stage used. A managed loop is left out: it reports when it ends. */
export function isUncounted(ctx: BeforeContext<'model'>): boolean {
  const { meter } = HookContext.frameOf(ctx)
  return meter?.counted === false && (ctx.prompt.model ?? ctx.agent.model).loop === undefined
}

/**
 * Counts a model call that did not say what it used by an estimate, which is marked as one. Gives the estimate. Each call is
 * estimated once, however many limits ask for it.
 */
export function estimateCall(ctx: BeforeContext<'model'>, reply: Message | undefined): Usage | undefined {
  if (!reply || !isUncounted(ctx)) return undefined
  const { meter, stage, turn } = HookContext.frameOf(ctx)
  const usage = meter?.estimate(estimateUsage(ctx, reply, stage.calledByHook ? 'hook' : 'turn'))
  if (!stage.calledByHook) turn.step.closeAttempt(usage, turn.step.draft.finishReason)
  return usage
}
