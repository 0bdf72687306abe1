import { interrupted } from '../base/errors.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import type { Journal } from './journal-port.ts'

/** Has an effect once what led to it is durable, while this process is still the writer. */
export function whenDurable<Result>(
  { turn, cut }: StageFrame,
  journal: Journal,
  effect: () => Result | Promise<Result>,
): Promise<Result> {
  const kept = journal.barrier()
  return turn.waits.race(cut ? cut.race(kept) : kept).then(() => {
    // An interrupt ends every wait, but not one that is just over.
    if (turn.interrupted) throw interrupted()
    return effect()
  })
}
