import type { TurnbuckleError } from 'turnbuckle'

/** Compares the error's name, not its class: an agent may come from another copy of the library. */
export const isTurnbuckleError = (error: unknown): error is TurnbuckleError =>
  error instanceof Error && error.name === 'TurnbuckleError' && 'code' in error
