import type { Usage } from '../base/ports.ts'
import type { Context } from '../hooks/hook-types.ts'
import { HookContext } from './hook-context.ts'

/** Counts with the turn what others use for it on other branches, however it ends. `used` is asked at the end. */
export function countElsewhere(ctx: Context, used: () => Usage): void {
  HookContext.frameOf(ctx).turn.spent.countElsewhere(used)
}
