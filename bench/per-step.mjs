import { verify } from './counted.mjs'
import { batch, median, sampleFor } from './stats.mjs'
import { warm } from './warm.mjs'

/** The default agent stops at 50 steps: 49 use the tool, and the last one says that it is done. */
export const TOOL_STEPS = 49
export const ALL_STEPS = TOOL_STEPS + 1

/** Microseconds of processor time per step of a turn of 50. `work` is the counter in its tool. */
export async function perStep(run, work, budget) {
  await verify(run, work, TOOL_STEPS, 'tool calls')
  await warm(run, budget)
  return (median(await sampleFor(budget.ms, () => batch(run))) * 1000) / ALL_STEPS
}
