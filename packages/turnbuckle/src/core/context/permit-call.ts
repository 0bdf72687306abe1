import type { Call } from '../base/message.ts'
import type { Context } from '../hooks/hook-types.ts'
import { HookContext } from './hook-context.ts'

/** A person has allowed the call, now or earlier: a tool that needs approval does not ask again. */
export function permitCall(ctx: Context, call: Call): void {
  HookContext.frameOf(ctx).permitted = call
}
