import { walkStep } from '../turn/stage-sequence.ts'
import type { Stage } from './stage.ts'

/** One model call and the tools it asked for: the stages of the pipeline, in order, but for a `goto`. */
export const step: Stage = {
  name: 'step',
  light: true,
  description: 'one model call and the tools it asked for',
  longRunning: true,
  body: walkStep,
  read: (_value, { turn }) => {
    turn.more = false
  },
}
