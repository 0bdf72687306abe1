import type { Frame } from '../frame.ts'
import { outcomeOf } from '../outcome.ts'
import { isPromise } from '../ports.ts'
import { inputOf, keep } from '../sequence.ts'
import { settleCalls } from '../settle.ts'
import { notOpened, type Stage } from '../stage.ts'

/** One model call and the tools it asked for: the stages of the pipeline, in order, but for a `goto`. */
export const step: Stage = {
  name: 'step',
  light: true,
  description: 'one model call and the tools it asked for',
  longRunning: true,
  async body(frame) {
    const { run } = frame
    const { step: stages } = run.pipeline
    let index = run.startAt === undefined ? 0 : run.pipeline.indexInStep(run.startAt)
    run.startAt = undefined
    let previous: unknown
    for (let stage = stages[index]; stage; stage = stages[index]) {
      index++
      const input = inputOf(stage, run, previous)
      if (input === notOpened) continue
      const opened = run.inside(stage, frame, input)
      previous = isPromise(opened) ? await opened : opened
      const kept = keep(stage, frame, previous)
      if (isPromise(kept)) await kept
      if (run.halted || run.interrupted) {
        const target = await jump(frame)
        if (target === undefined) return
        index = target
      }
    }
  },
  read: (_value, { run }) => {
    run.more = false
  },
}

/** Where a `goto` inside the step leads; nothing when what was said ends the step. */
async function jump(frame: Frame): Promise<number | undefined> {
  const { run } = frame
  const outcome = outcomeOf(run, false)
  if (outcome.type !== 'directive' || outcome.noted.directive.type !== 'goto') return undefined
  const { directive, decision } = outcome.noted
  if (typeof directive.value !== 'string' || ++run.jumps > 100) return undefined
  decision.won = true
  run.noted.length = 0
  run.halted = false
  run.dropAttempt(`left behind by ${decision.by}`)
  await settleCalls(frame, `left behind by ${decision.by}`)
  return run.pipeline.indexInStep(directive.value)
}
