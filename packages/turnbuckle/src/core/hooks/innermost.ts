import type { AttemptCancel } from '../async/attempt-cancel.ts'
import { watch } from './before-hooks.ts'
import type { StageFrame } from './stage-frame.ts'

/** The stage itself. */
export function innermost(frame: StageFrame, input: unknown, cut?: AttemptCancel): unknown {
  if (input !== frame.input) return changed(frame, input, cut)
  if (frame.problem !== undefined) throw frame.problem
  if (cut !== frame.cut) frame.cut = cut
  return frame.stage.body(frame, input)
}

/** An input that a wrap changed is shown to the guards first, one call at a time. */
async function changed(frame: StageFrame, input: unknown, cut: AttemptCancel | undefined): Promise<unknown> {
  frame.input = input
  if (frame.stage.name === 'tool') frame.call = input as StageFrame['call']
  frame.status = 'open'
  await frame.turn.turnstile.pass(() => watch(frame))
  const status = frame.status as StageFrame['status']
  if (status === 'open') return innermost(frame, frame.input, cut)
  if (status === 'interrupted') throw frame.error
  return frame.result ?? frame.stage.read?.(undefined, frame)
}
