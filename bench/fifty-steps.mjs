import { verify } from './counted.mjs'
import { plainly } from './prepared.mjs'

/** The default agent stops at 50 steps: 49 use the tool, and the last one says that it is done. */
export const TOOL_STEPS = 49
export const ALL_STEPS = TOOL_STEPS + 1

/** Microseconds per step of a turn that took so many milliseconds. */
export const perStep = ms => (ms * 1000) / ALL_STEPS

/** A turn of 50 steps, ready to be sampled. `work` is the counter in its tool. */
export async function fiftySteps(agent, work) {
  const run = () => agent.send().done
  await verify(run, work, TOOL_STEPS, 'tool calls')
  return plainly(run)
}
