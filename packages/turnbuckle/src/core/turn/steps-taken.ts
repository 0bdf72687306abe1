import type { TurnState } from '../types/turn-state.ts'

/** The steps that `maxSteps` limits: model stages opened or, in a pipeline that has no such stage, steps begun. */
export const stepsTaken = ({ pipeline, spent, step }: TurnState): number =>
  pipeline.modelPlace < 0 ? Math.max(spent.modelStages, step.index + 1) : spent.modelStages
