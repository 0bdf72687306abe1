import { demand } from './errors.ts'

/** Turns around the code that runs right now. Right only in a hook or tool, and only until that first waits. */
let depth = 0

/** The depth for a turn that starts now; right also for a hook that calls its agent directly, not as `ctx.agent`. */
export const nestingDepth = (): number => depth

/** Throws `agent.depth` where a turn, or a hook's model call, would be nested deeper than the limit. */
export const checkDepth = (to: number, deepest: number): void =>
  demand(
    to <= deepest,
    'agent.depth',
    `Agents are nested ${to} deep; ${deepest} is the limit. A hook or tool may be calling itself.`,
  )

/** Sets the depth for the call of a hook or tool. Returns the depth to restore after it. */
export function nest(to: number): number {
  const from = depth
  depth = to
  return from
}
