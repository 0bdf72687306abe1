import { abortableSleep } from '../async/abortable-sleep.ts'
import type { Context } from '../hooks/hook-types.ts'
import { HookContext } from './hook-context.ts'

/** Sleeps on the turn's clock, for a hook that has told of it by an event: so long it is not a silent hook. An abort of `ctx.signal` ends it early. */
export async function announcedSleep(ctx: Context, ms: number): Promise<void> {
  const frame = HookContext.frameOf(ctx)
  frame.knownWaits++
  try {
    await abortableSleep(ctx.clock, ms, ctx.signal)
  } finally {
    frame.knownWaits--
  }
}
