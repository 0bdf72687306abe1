import { interrupted } from '../base/errors.ts'
import { isPromise } from '../base/ports.ts'
import { noteEntered, noteLeft, wasEntered, wasLeft } from '../durable/checkpoints.ts'
import { reopened } from '../durable/reopened-stages.ts'
import type { Stage } from '../stages/stage.ts'
import type { TurnState } from '../turn/turn-state.ts'
import { accept } from './accept-directive.ts'
import { check, enter } from './before-hooks.ts'
import { invoke } from './call-hook.ts'
import { afterwards, each, type Wait } from './each.ts'
import { judge } from './error-policy.ts'
import { applies } from './hook-set.ts'
import { innermost } from './innermost.ts'
import { traceStage } from './record-spans.ts'
import { StageFrame } from './stage-frame.ts'
import { layer } from './wrap-hooks.ts'

/** Runs one stage: before hooks, the body inside its wraps, after hooks. Waits only where something is asynchronous. */
export function perform(frame: StageFrame): Wait {
  const traced = frame.turn.tracing ? traceStage(frame) : undefined
  const waiting = frame.turn.journal ? durably(frame) : afterwards(enter(frame), proceed, frame)
  if (!traced) return waiting
  return isPromise(waiting) ? waiting.then(traced) : traced()
}

const never: Promise<void> = new Promise(() => {})

/** The same on a log: a chain of hooks that has finished leaves a checkpoint and is not run again. */
function durably(frame: StageFrame): Wait {
  if (frame.turn.parked) return never
  if (frame.chain.empty) return afterwards(enter(frame), proceed, frame)
  if (wasLeft(frame)) return
  return afterwards(enterDurably(frame), proceedDurably, frame)
}
const proceedDurably = (frame: StageFrame): Wait => afterwards(proceed(frame), noteLeft, frame)

export function enterDurably(frame: StageFrame): Wait {
  if (frame.chain.empty || !frame.turn.journal) return enter(frame)
  if (!wasEntered(frame)) return afterwards(enter(frame), noteEntered, frame)
  return frame.stage.check && frame.status === 'open' ? check(frame) : undefined
}

/** What follows the before hooks; apart from them, because a batch runs all of those first. */
export function proceed(frame: StageFrame): Wait {
  const running = frame.status === 'open' ? run(frame) : undefined
  return afterwards(running, frame.chain.after.length ? leave : close, frame)
}

/** A stage without hooks, in its parent's frame. It gets one of its own only to fail in. */
export function light(stage: Stage, parent: StageFrame, input: unknown): unknown {
  try {
    const value = stage.body(parent, input)
    return isPromise(value) ? unbroken(stage, parent, input, value) : value
  } catch (error) {
    return broken(stage, parent, input, error)
  }
}
const unbroken = (stage: Stage, parent: StageFrame, input: unknown, value: Promise<unknown>): Promise<unknown> =>
  value.catch(error => broken(stage, parent, input, error))

/** The stage has failed: after hooks it has none, the error policy decides. */
export function broken(stage: Stage, parent: StageFrame, input: unknown, error: unknown): unknown {
  const frame = new StageFrame(parent.turn, stage, parent, input)
  frame.broke(error)
  const closing = close(frame)
  return isPromise(closing) ? closing.then(() => frame.result) : frame.result
}

/** The body inside its wraps. */
function run(frame: StageFrame): Wait {
  if (frame.turn.interrupted) return frame.broke(interrupted())
  try {
    const value = frame.chain.wraps.length ? layer(frame, 0, frame.input) : innermost(frame, frame.input)
    return isPromise(value) ? ended(frame, value) : succeeded(frame, value)
  } catch (error) {
    frame.broke(error)
  }
}
const ended = (frame: StageFrame, value: Promise<unknown>): Promise<void> =>
  value.then(
    result => succeeded(frame, result),
    error => frame.broke(error),
  )

/** A hook's own failure counts even when a wrap around it caught it. */
function succeeded(frame: StageFrame, result: unknown): void {
  if (frame.hookError === undefined) {
    if (frame.status === 'open') frame.status = frame.turn.interrupted ? 'interrupted' : 'done'
    frame.result = result
  } else frame.broke(frame.hookError)
}

/** An interrupt came before what a process had left open was opened again: the after hooks of that, innermost first. */
export async function leaveOpen(turn: TurnState, within?: StageFrame): Promise<void> {
  for (let frame = reopened(turn, within); frame; frame = reopened(turn, within)) await leaveOne(frame)
}

function leave(frame: StageFrame): Wait {
  const { turn } = frame
  const within = turn.past && turn.interrupted ? leaveOpen(turn, frame) : undefined
  return afterwards(afterwards(within, leaveOne, frame), close, frame)
}

/** After hooks always all run, whatever happened. */
function leaveOne(frame: StageFrame): Wait {
  const { after } = frame.chain
  if (!after.length) return
  if (frame.result !== undefined) frame.stage.show?.(frame.turn.draft, frame.result)
  return each(after, entry => {
    if (!applies(entry, frame)) return false
    try {
      const returned = invoke(frame, entry)
      if (isPromise(returned)) return returned.then(value => void accept(frame, entry, value)).catch(() => {})
      accept(frame, entry, returned)
    } catch {
      // Only an interrupt throws here: this hook was cut off, the others still run.
    }
    return false
  })
}

/** Errors, and calls that were not allowed, go to `onError` and to the error policy. */
function close(frame: StageFrame): Wait {
  if (frame.status === 'failed' || (frame.status === 'skipped' && frame.stage.name === 'tool')) return judge(frame)
}
