import type { Frame } from './frame.ts'
import type { Run } from './run.ts'
import { notOpened, type Stage } from './stage.ts'

/** Opens one stage of a sequence with what it takes, and puts its result where it belongs. */
export async function openNext(stage: Stage, parent: Frame, previous: unknown): Promise<unknown> {
  const input = inputOf(stage, parent.run, previous)
  if (input === notOpened) return previous
  const result = await parent.run.inside(stage, parent, input)
  await keep(stage, parent, result)
  return result
}

/** What a stage is handed; `notOpened` when there is nothing for it to do. */
export const inputOf = (stage: Stage, run: Run, previous: unknown): unknown =>
  stage.input ? stage.input(run, previous) : previous

/** Puts a stage's result where it belongs, and records it where it must be. */
export function keep(stage: Stage, parent: Frame, result: unknown): unknown {
  const { run } = parent
  if (run.interrupted) return undefined
  if (result !== undefined) stage.keep?.(run, result)
  return run.halted || !stage.follow ? undefined : stage.follow(parent)
}
