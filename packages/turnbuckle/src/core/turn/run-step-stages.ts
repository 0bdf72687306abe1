import { maxJumps } from '../directives/directives.ts'
import { outcomeOf } from '../directives/resolve.ts'
import { leftBehindBy, notRunBecause } from '../history/call-pairing.ts'
import { notOpened } from '../hooks/not-opened.ts'
import type { Stage } from '../types/stage.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { closeCalls } from './close-calls.ts'

/** Opens the stages of a step one after another, each with what it takes, and goes where a `goto` says. */
export async function runStepStages(frame: StageFrame): Promise<void> {
  const { turn } = frame
  const { pipeline } = turn
  const stages = pipeline.step
  // A step that a `goto` of the step before has opened begins at the stage it names.
  const start = turn.step.takeStart()
  let at = start === undefined ? 0 : pipeline.indexInStep(start)
  let previous: unknown
  while (at < stages.length) {
    const stage = stages[at++] as Stage
    const input = beginStage(stage, turn, previous)
    if (input === notOpened) continue
    const opened = await turn.openInside(stage, frame, input)
    const following = keepResult(opened)
    if (following) await following
    previous = opened.result
    if (!turn.halting && !turn.interrupted) continue
    const target = await takeJump(frame)
    if (target === undefined) return
    at = target
    previous = undefined
  }
}

/** Begins a stage and gives its input, given the result of the one before it; `notOpened` when there is nothing for it to do. */
function beginStage(stage: Stage, turn: TurnState, previous: unknown): unknown {
  stage.begin?.(turn)
  return stage.input ? stage.input(turn, previous) : previous
}

/** Opens one stage of a turn, outside of its steps, as those of a step are opened. Gives its result, for the stage behind it. */
export async function openNext(stage: Stage, parent: StageFrame, previous: unknown): Promise<unknown> {
  const input = beginStage(stage, parent.turn, previous)
  if (input === notOpened) return previous
  const opened = await parent.turn.openInside(stage, parent, input)
  await keepResult(opened)
  return opened.result
}

/** Puts the result of a stage into the turn, and records it where the stage says so (`follow`); a promise where what follows the stage has to be waited for. */
function keepResult({ turn, stage, parent, result }: StageFrame): Promise<unknown> | undefined {
  if (turn.interrupted) return undefined
  if (result !== undefined) stage.keep?.(turn, result)
  return turn.halting ? undefined : stage.follow?.(parent as StageFrame)
}

/** Takes the jump of a `goto` inside the step: counted, marked as won, the reply it leaves dealt with. Gives its place; nothing when the directives of the step end it. */
async function takeJump(frame: StageFrame): Promise<number | undefined> {
  const { turn } = frame
  const outcome = outcomeOf(turn, false)
  if (outcome.type !== 'directive' || outcome.noted.directive.type !== 'goto') return undefined
  const { directive, decision } = outcome.noted
  if (typeof directive.value !== 'string') return undefined
  const target = turn.pipeline.indexInStep(directive.value)
  // A jump that the limits do not allow is left to the end of the step, where they end the turn.
  if (target <= turn.pipeline.modelPlace && turn.spent.modelStages >= turn.agent.maxSteps) return undefined
  if (turn.steering.countJump() > maxJumps) return undefined
  turn.steering.markWon(decision)
  turn.liftHalt()
  // Whether the turn goes on is open again.
  turn.step.decide(undefined)
  await leaveBehind(frame, target, leftBehindBy(decision.by))
  return turn.over ? undefined : target
}

/**
 * Deals with the reply that a jump leaves. To the model or before it: the reply is withdrawn. Past the stage that records it: it is recorded now. To the
 * tools: its calls stay open for them; anywhere else they are answered as not run.
 */
async function leaveBehind(frame: StageFrame, target: number, reason: string): Promise<void> {
  const { turn } = frame
  const { pipeline, step, branch } = turn
  const { reply } = step.draft
  if (target <= pipeline.modelPlace) step.dropAttempt(reason)
  else if (target > pipeline.recordPlace && reply?.content.length && !step.replyRecorded)
    await turn.append(frame, reply)
  if (target !== pipeline.toolsPlace || hasFinishedCalls(turn)) await closeCalls(frame, notRunBecause(reason))
  // Past the detection: the calls are those of the reply.
  else if (!step.draft.calls.length) step.setCalls(branch.openCalls)
}

const hasFinishedCalls = ({ branch, calls }: TurnState): boolean =>
  branch.openCalls.some(({ id }) => calls.finished(id) !== undefined)
