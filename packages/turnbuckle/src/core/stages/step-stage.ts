import { none } from '../base/lists.ts'
import { runStepStages } from '../turn/run-step-stages.ts'
import type { BuiltInStage } from '../types/stage.ts'

/** A step: a model call and the tools it asked for, by the stages of the pipeline, in order, but for a `goto`. */
export const stepStage: BuiltInStage = {
  name: 'step',
  description: 'one model call and the tools it asked for',
  longRunning: true,
  takes: undefined,
  gives: undefined,
  needed: undefined,
  readsReplacement: false,
  repeats: true,
  holdsOthers: true,
  inheritsCancel: true,
  body: runStepStages,
  read: (_value, { turn }) => turn.step.decide(false),
  toLog: { input: () => undefined },
  fromLog: { left: ({ turn }) => turn.branch.setOpenCalls(none) },
}
