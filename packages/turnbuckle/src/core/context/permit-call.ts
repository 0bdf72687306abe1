import { canonicalJson } from '../base/canonical-json.ts'
import type { Call } from '../base/message.ts'
import type { Context } from '../hooks/hook-types.ts'
import { HookContext } from './hook-context.ts'

/** A person has allowed the call, now or earlier: a tool that needs approval does not ask again. */
export function permitCall(ctx: Context, call: Call): void {
  HookContext.frameOf(ctx).permitted = call
}

/** True where a person has allowed the call with these very arguments. */
export function isPermitted(ctx: Context, call: Call): boolean {
  const { permitted } = HookContext.frameOf(ctx)
  if (!permitted || permitted.name !== call.name) return false
  return permitted.args === call.args || canonicalJson(permitted.args) === canonicalJson(call.args)
}
