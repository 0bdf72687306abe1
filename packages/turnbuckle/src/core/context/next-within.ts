import { TurnbuckleError } from '../base/errors.ts'
import type { Context, NextOptions } from '../hooks/hook-types.ts'

/** Given in place of a result when the time was over first. */
export const tooLate: unique symbol = Symbol('too late')

/** Runs a wrap's `next` for at most so many active milliseconds; what runs inside is aborted, whether or not it listens. */
export async function nextWithin<Result>(
  { clock }: Pick<Context, 'clock'>,
  ms: number,
  next: (input: undefined, options: NextOptions) => Promise<Result>,
): Promise<Result | typeof tooLate> {
  if (ms <= 0) return tooLate
  let late: TurnbuckleError | undefined
  const until: NextOptions['until'] = end =>
    clock.after(ms, () => {
      late = new TurnbuckleError('turn.late', 'The time of the turn was over.', { kind: 'timeout' })
      end(late)
    })
  try {
    return await next(undefined, { until })
  } catch (error) {
    if (error === late) return tooLate
    throw error
  }
}
