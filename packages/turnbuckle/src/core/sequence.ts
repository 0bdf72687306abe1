import type { Wait } from './each.ts'
import { maxJumps } from './flow.ts'
import type { Frame } from './frame.ts'
import { outcomeOf } from './outcome.ts'
import { broken } from './perform.ts'
import { isPromise } from './ports.ts'
import type { Run } from './run.ts'
import { settleCalls } from './settle.ts'
import { notOpened, type Stage } from './stage.ts'

/** Opens one stage after another, each with what it takes. Waits only where it must, and goes where a `goto` says. */
export function walk(parent: Frame, stages: readonly Stage[], from: number, previous: unknown): Wait {
  const { run } = parent
  let result = previous
  for (let i = from; i < stages.length; i++) {
    const stage = stages[i] as Stage
    const input = inputOf(stage, run, result)
    if (input === notOpened) continue
    const opened = run.light(stage) ? lightly(stage, parent, input) : run.framed(stage, parent, input)
    if (isPromise(opened)) return walkOn(parent, stages, i, opened, input)
    result = opened
    const kept = keep(stage, parent, result)
    if (isPromise(kept)) return onceKept(kept, parent, stages, i, result)
    if (run.halted || run.interrupted) return onward(parent, stages, i, result)
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

/** The rest of the walk, when a stage was waited for. */
function walkOn(
  parent: Frame,
  stages: readonly Stage[],
  index: number,
  opened: Promise<unknown>,
  input: unknown,
): Promise<void> {
  const stage = stages[index] as Stage
  const go = (result: unknown): Wait => {
    const kept = keep(stage, parent, result)
    return isPromise(kept) ? onceKept(kept, parent, stages, index, result) : onward(parent, stages, index, result)
  }
  return opened.then(go, error => Promise.resolve(broken(stage, parent, input, error)).then(go))
}

/** Apart from the walk: a closure in its loop would make a context of every turn of it. */
const onceKept = (
  kept: Promise<unknown>,
  parent: Frame,
  stages: readonly Stage[],
  index: number,
  result: unknown,
): Promise<void> => kept.then(() => onward(parent, stages, index, result))

function onward(parent: Frame, stages: readonly Stage[], index: number, result: unknown): Wait {
  const { run } = parent
  if (!run.halted && !run.interrupted) return walk(parent, stages, index + 1, result)
  return jump(parent).then(target => (target === undefined ? undefined : walk(parent, stages, target, undefined)))
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
