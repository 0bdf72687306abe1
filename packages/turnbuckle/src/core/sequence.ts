import type { Frame } from './frame.ts'
import { isPromise } from './ports.ts'
import { notOpened, type Stage } from './stage.ts'

/** Opens one stage of a sequence with what it takes, and puts its result where it belongs. */
export function openNext(stage: Stage, parent: Frame, previous: unknown): unknown {
  const { run } = parent
  const input = stage.input ? stage.input(run, previous) : previous
  if (input === notOpened) return previous
  const opened = run.inside(stage, parent, input)
  return isPromise(opened) ? opened.then(result => keep(stage, parent, result)) : keep(stage, parent, opened)
}

function keep(stage: Stage, parent: Frame, result: unknown): unknown {
  const { run } = parent
  if (run.interrupted) return result
  if (result !== undefined) stage.keep?.(run, result)
  if (run.halted || !stage.follow) return result
  const following = stage.follow(parent)
  return isPromise(following) ? following.then(() => result) : result
}
