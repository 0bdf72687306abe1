import { none } from '../base/lists.ts'
import { keepReply, readReply } from '../model/call-model.ts'
import { runStepStages } from '../turn/run-step-stages.ts'
import type { BuiltInStage } from '../types/stage.ts'

/** A step: a model call and the tools it asked for, by the stages of the pipeline, in order, but for a `goto`. */
export const stepStage: BuiltInStage<'step'> = {
  name: 'step',
  description: 'one model call and the tools it asked for',
  estimatedMs: 3000,
  longRunning: true,
  takes: undefined,
  gives: undefined,
  needed: undefined,
  repeats: true,
  holdsOthers: true,
  inheritsCancel: true,
  body: runStepStages,
  // As if the model were done; the value of a `skip` is its reply, which the turn records.
  read: (value, frame, by, author) => {
    const reply = by === 'skip' && value !== undefined ? readReply(value, frame) : undefined
    frame.turn.step.decide(false, author)
    return reply
  },
  // A stage in its place may answer: text, or an assistant's message, is recorded as the reply of the step.
  adopt: async (given, frame) => {
    if (given === undefined || frame.status !== 'open') return given
    const reply = readReply(given, frame)
    keepReply(frame.turn, reply)
    await frame.turn.append(frame, reply)
  },
  toLog: { input: () => undefined },
  fromLog: { left: ({ turn }) => turn.branch.setOpenCalls(none) },
}
