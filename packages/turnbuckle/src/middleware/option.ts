import { TurnbuckleError } from '../core/base/errors.ts'
import { type Directive, stop } from '../core/directives/directives.ts'

/** The error for an option that makes no sense; its message names the fix. */
export const optionError = (message: string): TurnbuckleError => new TurnbuckleError('option.invalid', message)

/** A limit that is no number would never trip: better to hear of it when the agent is made. */
export function atLeast(least: number, option: string, value: number): number {
  if (typeof value === 'number' && value >= least) return value
  throw optionError(`${option} must be a number of at least ${least}, not ${String(value)}.`)
}

/** Ends the turn, with a closing text where there is one. */
export const stopSaying = (reason: string, say: string | undefined): Directive<'stop'> =>
  stop(reason, say === undefined ? {} : { say })
