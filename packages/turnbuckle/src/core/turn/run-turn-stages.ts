import { outcomeOf } from '../hooks/resolve.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import { doneEnding } from '../state/turn-ending.ts'
import type { Stage } from '../types/stage.ts'
import { followDirective, withinStepLimit } from './follow-directive.ts'
import { openNext } from './run-step-stages.ts'
import { applyQueue, settleCalls } from './settle-turn.ts'

/** The stages of a turn, one after another: those before the steps, the steps, those after. */
export async function runTurnStages(frame: StageFrame): Promise<void> {
  const { turn } = frame
  let previous: unknown
  for (const stage of turn.pipeline.turn) {
    previous = stage.repeats ? await runSteps(frame, stage) : await openNext(stage, frame, previous)
    const { ending } = turn.steering
    if (turn.halting || (ending && ending.status !== 'completed')) return
  }
}

/** Step after step, until the resolver says that is all. */
async function runSteps(frame: StageFrame, step: Stage): Promise<void> {
  const { turn } = frame
  do {
    turn.beginStep()
    await turn.openInside(step, frame, undefined)
  } while (await closeStep(frame))
}

/** Resolves the directives of the step; true when another step follows. Recording interjections may halt the step again: then once more. */
async function closeStep(frame: StageFrame): Promise<boolean> {
  let more = true
  do more = await resolveStep(frame)
  while (more && frame.turn.halting)
  return more
}

async function resolveStep(frame: StageFrame): Promise<boolean> {
  const { turn } = frame
  turn.replay.hearAgain()
  const outcome = outcomeOf(turn, true)
  turn.goOn()
  switch (outcome.type) {
    case 'interrupted':
      return false
    case 'continue':
      return settleStep(frame)
    case 'done':
      // Atomic with the last look at the queue: interjections accepted before have been applied, none is accepted after.
      turn.people.close()
      turn.settle(doneEnding)
      return false
    case 'directive':
      return followDirective(frame, outcome.noted)
    default:
      return outcome satisfies never
  }
}

/** Before the next step: a pipeline without tools, or without detection, has left calls open; people may have interjected. */
async function settleStep(frame: StageFrame): Promise<boolean> {
  const { turn } = frame
  if (turn.branch.openCalls.length || turn.people.queue.length) {
    await settleCalls(frame, 'The call was not run.')
    await applyQueue(frame)
  }
  return !turn.over && withinStepLimit(turn)
}
