import { isPromise } from '../base/ports.ts'
import { maxJumps } from '../hooks/directives.ts'
import type { Wait } from '../hooks/each.ts'
import { broken } from '../hooks/open-stage.ts'
import { outcomeOf } from '../hooks/resolve.ts'
import type { Frame } from '../hooks/stage-frame.ts'
import { notOpened, type Stage } from '../stages/stage.ts'
import { settleCalls } from './settle-turn.ts'
import type { Run } from './turn-state.ts'

/** What a walk waits for; nothing when it is through. */
type Waiting = Promise<unknown> | undefined

/**
 * Opens the stages of a step one after another, each with what it takes, and goes where a `goto` says. Where it must
 * wait it stops, and whoever walks it waits: the loop then waits for the model itself, not for a promise around it.
 */
export class Walk {
  readonly #parent: Frame
  #stages: readonly Stage[]
  /** The step, where it has no frame of its own to fail in. */
  #light: Stage | undefined
  #at = 0
  /** The stage that is waited for, and what it was given. */
  #waited: Stage | undefined
  #input: unknown
  /** What the stage before gave. */
  #result: unknown

  constructor(parent: Frame) {
    this.#parent = parent
    this.#stages = parent.run.pipeline.step
  }

  /** Begins a step, where a `goto` has led at the end of the one before. */
  go(light?: Stage): Waiting {
    const { run } = this.#parent
    this.#light = light
    this.#stages = run.pipeline.step
    this.#at = 0
    this.#result = undefined
    try {
      if (run.startAt !== undefined) this.#at = run.pipeline.indexInStep(run.startAt)
      run.startAt = undefined
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
    const { run } = parent
    for (; this.#at < stages.length; this.#at++) {
      const stage = stages[this.#at] as Stage
      const input = inputOf(stage, run, this.#result)
      if (input === notOpened) continue
      const opened = run.light(stage) ? lightly(stage, parent, input) : run.framed(stage, parent, input)
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
    const { run } = this.#parent
    this.#result = result
    const kept = keep(stage, this.#parent, result)
    if (isPromise(kept)) return this.#onceKept(kept)
    return run.halted || run.interrupted ? this.#jump() : undefined
  }
  async #onceKept(kept: Promise<unknown>): Promise<void> {
    await kept
    const { run } = this.#parent
    if (run.halted || run.interrupted) return this.#jump()
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
export function walkStep(frame: Frame): Wait {
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
function lightly(stage: Stage, parent: Frame, input: unknown): unknown {
  try {
    return stage.body(parent, input)
  } catch (error) {
    return broken(stage, parent, input, error)
  }
}

/** Where a `goto` inside the step leads; nothing when what was said ends the step. */
async function jump(frame: Frame): Promise<number | undefined> {
  const { run } = frame
  const outcome = outcomeOf(run, false)
  if (outcome.type !== 'directive' || outcome.noted.directive.type !== 'goto') return undefined
  const { directive, decision } = outcome.noted
  if (typeof directive.value !== 'string') return undefined
  const target = run.pipeline.indexInStep(directive.value)
  // What the limits do not allow is left to the end of the step, where they end the turn.
  if (target <= place(run, 'model') && run.steps >= run.core.maxSteps) return undefined
  if (++run.jumps > maxJumps) return undefined
  decision.won = true
  run.noted.length = 0
  run.halted = false
  run.more = undefined
  await leaveBehind(frame, target, `left behind by ${decision.by}`)
  return run.over ? undefined : target
}

/** What becomes of the reply and its calls, by where the jump leads: to the model, past the recording, to the tools. */
async function leaveBehind(frame: Frame, target: number, reason: string): Promise<void> {
  const { run } = frame
  const { reply } = run.draft
  if (target <= place(run, 'model')) run.dropAttempt(reason)
  else if (target > place(run, 'append') && reply?.content.length && !run.replyRecorded) await run.append(frame, reply)
  if (target !== place(run, 'tools') || run.openCalls.some(({ id }) => run.finished.has(id)))
    await settleCalls(frame, reason)
  // Past the detection: the calls are those of the reply.
  else if (!run.draft.calls.length) run.draft.calls = run.openCalls
}

const place = (run: Run, name: string): number => run.pipeline.step.findIndex(stage => stage.name === name)

/** Opens one stage of the turn with what it takes, and puts its result where it belongs. */
export async function openNext(stage: Stage, parent: Frame, previous: unknown): Promise<unknown> {
  const input = inputOf(stage, parent.run, previous)
  if (input === notOpened) return previous
  const result = await parent.run.inside(stage, parent, input)
  await keep(stage, parent, result)
  return result
}

/** What a stage is handed; `notOpened` when there is nothing for it to do. */
const inputOf = (stage: Stage, run: Run, previous: unknown): unknown =>
  stage.input ? stage.input(run, previous) : previous

/** Puts a stage's result where it belongs, and records it where it must be. */
function keep(stage: Stage, parent: Frame, result: unknown): unknown {
  const { run } = parent
  if (run.interrupted) return undefined
  if (result !== undefined) stage.keep?.(run, result)
  return run.halted || !stage.follow ? undefined : stage.follow(parent)
}
