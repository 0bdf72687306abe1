import { accept } from './accept.ts'
import { enter } from './before.ts'
import { each, type Wait } from './each.ts'
import type { Frame } from './frame.ts'
import { applies } from './hooks.ts'
import { invoke } from './invoke.ts'
import { judge } from './judge.ts'
import { isPromise } from './ports.ts'
import { traceStage } from './tracing.ts'
import { innermost, layer } from './wrap.ts'

/** Runs one stage: before hooks, the body inside its wraps, after hooks. Waits only where something is asynchronous. */
export function perform(frame: Frame): Wait {
  const traced = frame.run.tracing ? traceStage(frame) : undefined
  const waiting = frame.chain.empty ? bare(frame) : hooked(frame)
  if (!traced) return waiting
  return isPromise(waiting) ? waiting.then(traced) : traced()
}

function bare(frame: Frame): Wait {
  const checking = frame.stage.check ? enter(frame) : undefined
  if (isPromise(checking)) return checking.then(() => proceed(frame))
  const running = run(frame)
  return isPromise(running) ? running.then(() => close(frame)) : close(frame)
}

async function hooked(frame: Frame): Promise<void> {
  const entering = enter(frame)
  if (isPromise(entering)) await entering
  await proceed(frame)
}

/** What follows the before hooks; apart from them, because a batch runs all of those first. */
export async function proceed(frame: Frame): Promise<void> {
  if (frame.status === 'open') {
    const running = run(frame)
    if (isPromise(running)) await running
  }
  const leaving = leave(frame)
  if (isPromise(leaving)) await leaving
  const closing = close(frame)
  if (isPromise(closing)) await closing
}

/** The body inside its wraps. */
function run(frame: Frame): Wait {
  try {
    const value = frame.chain.wraps.length ? layer(frame, 0, frame.input) : innermost(frame, frame.input)
    if (!isPromise(value)) return succeeded(frame, value)
    return value.then(
      result => succeeded(frame, result),
      error => frame.broke(error),
    )
  } catch (error) {
    frame.broke(error)
  }
}

/** A hook's own failure counts even when a wrap around it caught it. */
function succeeded(frame: Frame, result: unknown): void {
  if (frame.hookError === undefined) {
    if (frame.status === 'open') frame.status = 'done'
    frame.result = result
  } else frame.broke(frame.hookError)
}

/** After hooks always all run, whatever happened. */
function leave(frame: Frame): Wait {
  const { after } = frame.chain
  if (!after.length) return
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
function close(frame: Frame): Wait {
  if (frame.status === 'failed' || (frame.status === 'skipped' && frame.stage.name === 'tool')) return judge(frame)
}
