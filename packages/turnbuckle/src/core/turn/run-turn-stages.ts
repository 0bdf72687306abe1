import { isMessage, type Message } from '../base/message.ts'
import { outcomeOf } from '../directives/resolve.ts'
import { keepReply } from '../model/call-model.ts'
import { endingByModel, type TurnEnding } from '../state/turn-ending.ts'
import type { Stage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { closeCalls } from './close-calls.ts'
import { endAtStepLimit, followDirective } from './follow-directive.ts'
import { openNext } from './run-step-stages.ts'
import { applyQueue } from './settle-turn.ts'

/** The stages of a turn, one after another: those before the steps, the steps, those after. */
export async function runTurnStages(frame: StageFrame): Promise<void> {
  const { turn } = frame
  let previous: unknown
  for (const stage of turn.pipeline.turn) {
    previous = stage.repeats ? await runSteps(frame, stage) : await openNext(stage, frame, previous)
    const { ending } = turn.steering
    // A completed turn still has its stages behind the steps; one that was stopped or failed has not.
    if (turn.halting || (ending && ending.status !== 'completed')) return
  }
}

/** Step after step, until the resolver says that is all. */
async function runSteps(frame: StageFrame, step: Stage): Promise<void> {
  const { turn } = frame
  let more: boolean
  do {
    turn.beginStep()
    const { result } = await turn.openInside(step, frame, undefined)
    if (isMessage(result)) await recordReadyReply(frame, result)
    // Recording interjections may halt the step again: then it is resolved once more.
    do {
      more = await resolveStep(frame)
    } while (more && turn.halting)
  } while (more)
}

/** A step that was skipped with a reply has that in place of the model's. Where something halts the turn it is recorded with the turn's end. */
async function recordReadyReply(frame: StageFrame, reply: Message): Promise<void> {
  const { turn } = frame
  if (turn.interrupted || turn.over) return
  keepReply(turn, reply)
  if (!turn.halting) await turn.append(frame, reply)
}

/** Resolves the directives of the step and does what they say, up to ending the turn; true when another step follows. */
async function resolveStep(frame: StageFrame): Promise<boolean> {
  const { turn } = frame
  // After a crash: interjections that the log has and no step has heard.
  turn.replay.hearAgain()
  const outcome = outcomeOf(turn, true)
  turn.liftHalt()
  switch (outcome.type) {
    case 'interrupted':
      return false
    case 'continue':
      if (turn.branch.openCalls.length || turn.people.queue.length) await prepareNextStep(frame)
      return !turn.over && !endAtStepLimit(turn)
    case 'done':
      // Atomic with the last look at the queue, which was `outcomeOf`: no `await` stands between. Interjections accepted before have been
      // applied, none is accepted after.
      turn.people.close()
      turn.settle(endOf(turn))
      return false
    case 'directive':
      return followDirective(frame, outcome.noted)
    default:
      return outcome satisfies never
  }
}

/** Before the next step: calls are closed that a pipeline without tools left open, and people are heard. */
async function prepareNextStep(frame: StageFrame): Promise<void> {
  await closeCalls(frame)
  await applyQueue(frame)
}

function endOf({ step }: TurnState): TurnEnding {
  const ending = endingByModel(step.draft.reply, step.draft.finishReason)
  return step.decidedBy === undefined ? ending : { ...ending, by: step.decidedBy }
}
