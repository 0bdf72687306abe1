import { demand } from './errors.ts'

/** How deep inside turns the code is that runs right now: a hook or tool, until it first waits. */
let depth = 0

/** Of a turn that is started now, also by a hook that calls its agent by another name than `ctx.agent`. */
export const nestingDepth = (): number => depth

/** Neither turns nor the model calls of hooks go deeper into each other. */
export const checkDepth = (to: number, deepest: number): void =>
  demand(
    to <= deepest,
    'agent.depth',
    `Agents are nested ${to} deep; ${deepest} is the limit. A hook or tool may be calling itself.`,
  )

/** Around the call of a hook or tool. Gives what to go back to. */
export function nest(to: number): number {
  const from = depth
  depth = to
  return from
}
