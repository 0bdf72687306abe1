import type { Context } from '../hooks/hook-types.ts'
import { HookContext } from './hook-context.ts'

/** A text of a middleware's event, such as an error's, without what the redactors in force take out of it. */
export function redactedText(ctx: Context, text: string): string {
  return HookContext.frameOf(ctx).turn.hooks.clean(text)
}
