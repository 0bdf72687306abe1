import type { TurnState } from '../types/turn-state.ts'
import { stepsTaken } from './steps-taken.ts'

/** True where no step may follow the one under way: by the agent's `maxSteps`, or a limit that its own middleware has declared. */
export function isLastStep(turn: TurnState): boolean {
  const { pipeline, spent, step, agent, use, hooks } = turn
  // Before the model stage of this step is opened it is still to be counted.
  const isToCount = pipeline.modelPlace >= 0 && !spent.stepHasModelStage
  if (stepsTaken(turn) + (isToCount ? 1 : 0) >= agent.maxSteps) return true
  // A limit that a sub-agent inherits counts the steps of its caller.
  return hooks.owners.some(
    owner =>
      owner.maxSteps !== undefined &&
      Math.max(0, step.index) + 1 >= owner.maxSteps &&
      (use.includes(owner) || agent.hooks.has(owner)),
  )
}
