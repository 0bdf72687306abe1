import { TurnbuckleError } from '../base/errors.ts'
import { wantsMore } from '../hooks/resolve.ts'
import type { Stage } from './stage.ts'

/** Goes on, or ends: whether the model asked for more. What hooks say about it is the resolver's business. */
export const decide: Stage = {
  name: 'decide',
  light: true,
  description: 'go on, or end',
  body: ({ turn }) => wantsMore(turn),
  read: (value, { turn }, by) => {
    if (by !== 'skip' && typeof value !== 'boolean')
      throw new TurnbuckleError('decide.invalid', `Expected true (go on) or false (end), got ${typeof value}.`)
    // Said at once: the hooks behind it see whether the turn goes on.
    turn.more = by !== 'skip' && value === true
    return turn.more
  },
  keep: (turn, more) => {
    turn.more = more as boolean
  },
}
