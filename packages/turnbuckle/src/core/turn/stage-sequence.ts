import { isPromise } from '../base/ports.ts'
import { maxJumps } from '../hooks/directives.ts'
import type { Wait } from '../hooks/each.ts'
import { broken } from '../hooks/open-stage.ts'
import { outcomeOf } from '../hooks/resolve.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import { notOpened, type Stage } from '../stages/stage.ts'
import { settleCalls } from './settle-turn.ts'
import type { TurnState } from './turn-state.ts'

/** What a walk waits for; nothing when it is through. */
type Waiting = Promise<unknown> | undefined

/**
 * Opens the stages of a step one after another, each with what it takes, and goes where a `goto` says. Where it must
 * wait it stops, and whoever walks it waits: the loop then waits for the model itself, not for a promise around it.
 */
export class Walk {
  readonly #parent: StageFrame
  #stages: readonly Stage[]
  /** The step, where it has no frame of its own to fail in. */
  #light: Stage | undefined
  #at = 0
  /** The stage that is waited for, and what it was given. */
  #waited: Stage | undefined
  #input: unknown
  /** What the stage before gave. */
  #result: unknown

  constructor(parent: StageFrame) {
    this.#parent = parent
    this.#stages = parent.turn.pipeline.step
  }

  /** Begins a step, where a `goto` has led at the end of the one before. */
  go(light?: Stage): Waiting {
    const { turn } = this.#parent
    this.#light = light
    this.#stages = turn.pipeline.step
    this.#at = 0
    this.#result = undefined
    try {
      if (turn.startAt !== undefined) this.#at = turn.pipeline.indexInStep(turn.startAt)
      turn.startAt = undefined
      return this.#go()
    } catch (error) {
      return this.#fail(error)
    }
  }

  /** On, with what was waited for. */
  goOn(result: unknown): Waiting {
    const stage = this.#waited
    this.#waited = undefined
    const elsewhere = stage && this.#keep(stage, result)
    if (elsewhere) return elsewhere
    if (stage) this.#at++
    return this.#go()
  }

  /** On, where what was waited for has failed: with what stands for its result. */
  broke(error: unknown): Waiting {
    const stage = this.#waited
    if (!stage) return this.#fail(error)
    const result = broken(stage, this.#parent, this.#input, error)
    return isPromise(result) ? result : this.goOn(result)
  }

  #go(): Waiting {
    const parent = this.#parent
    const stages = this.#stages
    const { turn } = parent
    for (; this.#at < stages.length; this.#at++) {
      const stage = stages[this.#at] as Stage
      const input = inputOf(stage, turn, this.#result)
      if (input === notOpened) continue
      const opened = turn.light(stage) ? lightly(stage, parent, input) : turn.framed(stage, parent, input)
      if (isPromise(opened)) {
        this.#waited = stage
        this.#input = input
        return opened
      }
      const elsewhere = this.#keep(stage, opened)
      if (elsewhere) return elsewhere
    }
    return undefined
  }

  /** Puts the result of a stage where it belongs. Gives what to wait for where that takes time, or leads elsewhere. */
  #keep(stage: Stage, result: unknown): Waiting {
    const { turn } = this.#parent
    this.#result = result
    const kept = keep(stage, this.#parent, result)
    if (isPromise(kept)) return this.#onceKept(kept)
    return turn.halted || turn.interrupted ? this.#jump() : undefined
  }
  async #onceKept(kept: Promise<unknown>): Promise<void> {
    await kept
    const { turn } = this.#parent
    if (turn.halted || turn.interrupted) return this.#jump()
    this.#at++
  }
  async #jump(): Promise<void> {
    this.#at = (await jump(this.#parent)) ?? this.#stages.length
    this.#result = undefined
  }

  /** The step itself fails, once. */
  #fail(error: unknown): Waiting {
    const step = this.#light
    if (!step) throw error
    this.#light = undefined
    this.#at = this.#stages.length
    return Promise.resolve(broken(step, this.#parent, undefined, error))
  }
}

/** Walks a step to its end, and waits only where it must. */
export function walkStep(frame: StageFrame): Wait {
  const walk = new Walk(frame)
  const waiting = walk.go()
  return waiting && walkOn(walk, waiting)
}

async function walkOn(walk: Walk, first: Promise<unknown>): Promise<void> {
  for (let waiting: Waiting = first; waiting; ) {
    try {
      waiting = walk.goOn(await waiting)
    } catch (error) {
      waiting = walk.broke(error)
    }
  }
}

/** What a stage without hooks gives: its result, a promise that may reject, or what it threw. */
function lightly(stage: Stage, parent: StageFrame, input: unknown): unknown {
  try {
    return stage.body(parent, input)
  } catch (error) {
    return broken(stage, parent, input, error)
  }
}

/** Where a `goto` inside the step leads; nothing when what was said ends the step. */
async function jump(frame: StageFrame): Promise<number | undefined> {
  const { turn } = frame
  const outcome = outcomeOf(turn, false)
  if (outcome.type !== 'directive' || outcome.noted.directive.type !== 'goto') return undefined
  const { directive, decision } = outcome.noted
  if (typeof directive.value !== 'string') return undefined
  const target = turn.pipeline.indexInStep(directive.value)
  // What the limits do not allow is left to the end of the step, where they end the turn.
  if (target <= place(turn, 'model') && turn.steps >= turn.agent.maxSteps) return undefined
  if (++turn.jumps > maxJumps) return undefined
  decision.won = true
  turn.noted.length = 0
  turn.halted = false
  turn.more = undefined
  await leaveBehind(frame, target, `left behind by ${decision.by}`)
  return turn.over ? undefined : target
}

/** What becomes of the reply and its calls, by where the jump leads: to the model, past the recording, to the tools. */
async function leaveBehind(frame: StageFrame, target: number, reason: string): Promise<void> {
  const { turn } = frame
  const { reply } = turn.draft
  if (target <= place(turn, 'model')) turn.dropAttempt(reason)
  else if (target > place(turn, 'append') && reply?.content.length && !turn.replyRecorded)
    await turn.append(frame, reply)
  if (target !== place(turn, 'tools') || turn.openCalls.some(({ id }) => turn.finished.has(id)))
    await settleCalls(frame, reason)
  // Past the detection: the calls are those of the reply.
  else if (!turn.draft.calls.length) turn.draft.calls = turn.openCalls
}

const place = (turn: TurnState, name: string): number => turn.pipeline.step.findIndex(stage => stage.name === name)

/** Opens one stage of the turn with what it takes, and puts its result where it belongs. */
export async function openNext(stage: Stage, parent: StageFrame, previous: unknown): Promise<unknown> {
  const input = inputOf(stage, parent.turn, previous)
  if (input === notOpened) return previous
  const result = await parent.turn.inside(stage, parent, input)
  await keep(stage, parent, result)
  return result
}

/** What a stage is handed; `notOpened` when there is nothing for it to do. */
const inputOf = (stage: Stage, turn: TurnState, previous: unknown): unknown =>
  stage.input ? stage.input(turn, previous) : previous

/** Puts a stage's result where it belongs, and records it where it must be. */
function keep(stage: Stage, parent: StageFrame, result: unknown): unknown {
  const { turn } = parent
  if (turn.interrupted) return undefined
  if (result !== undefined) stage.keep?.(turn, result)
  return turn.halted || !stage.follow ? undefined : stage.follow(parent)
}
