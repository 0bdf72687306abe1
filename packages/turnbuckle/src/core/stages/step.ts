import { walk } from '../sequence.ts'
import type { Stage } from '../stage.ts'

/** One model call and the tools it asked for: the stages of the pipeline, in order, but for a `goto`. */
export const step: Stage = {
  name: 'step',
  light: true,
  description: 'one model call and the tools it asked for',
  longRunning: true,
  body: frame => {
    const { run } = frame
    const first = run.startAt === undefined ? 0 : run.pipeline.indexInStep(run.startAt)
    run.startAt = undefined
    return walk(frame, run.pipeline.step, first, undefined)
  },
  read: (_value, { run }) => {
    run.more = false
  },
}
