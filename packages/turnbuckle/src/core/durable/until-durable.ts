import type { Journal } from '../types/journal.ts'
import type { StageFrame } from '../types/stage-frame.ts'

/** Waits until all that led to an effect is in the log, while this process is still its writer. Rejects on an interrupt. */
export async function untilDurable(frame: StageFrame, journal: Journal): Promise<void> {
  const { turn, cancel } = frame
  frame.onWait?.()
  const kept = journal.barrier()
  await turn.time.waits.race(cancel ? cancel.race(kept) : kept)
}
