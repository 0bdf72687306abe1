import { TurnbuckleError } from 'turnbuckle'

/** The refusal of a second turn behind a message that one runs behind already. */
export const turnRunsThere = (): TurnbuckleError =>
  new TurnbuckleError('turn.running', 'A turn is running there. Wait for it, interject, or branch off earlier.')
