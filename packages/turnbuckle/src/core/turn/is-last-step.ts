import type { TurnState } from '../types/turn-state.ts'

/** True where no step may follow the one under way: by the agent's `maxSteps`, or a limit that its own middleware has declared. */
export function isLastStep(turn: TurnState): boolean {
  const { spent, step, agent, use, hooks } = turn
  // Before the model stage of this step is opened it is still to be counted.
  const opened = spent.modelStages + (spent.stepHasModelStage ? 0 : 1)
  if (opened >= agent.maxSteps) return true
  // A limit that a sub-agent inherits counts the steps of its caller.
  return hooks.owners.some(
    owner =>
      owner.maxSteps !== undefined &&
      Math.max(0, step.index) + 1 >= owner.maxSteps &&
      (use.includes(owner) || agent.hooks.has(owner)),
  )
}
