import { TurnbuckleError } from '../base/errors.ts'
import { wantsMore } from '../directives/resolve.ts'
import type { BuiltInStage } from '../types/stage.ts'

/** Goes on, or ends: whether the model asked for more. Directives about it are the resolver's business. */
export const decideStage: BuiltInStage<'decide'> = {
  name: 'decide',
  description: 'go on, or end',
  estimatedMs: 1,
  takes: undefined,
  gives: undefined,
  needed: undefined,
  opensWhenHalting: true,
  body: ({ turn }) => wantsMore(turn),
  read: (value, { turn }, by, author) => {
    if (by !== 'skip' && typeof value !== 'boolean')
      throw new TurnbuckleError('decide.invalid', `Expected true (go on) or false (end), got ${typeof value}.`)
    const more = by !== 'skip' && value === true
    // At once: the hooks behind it see whether the turn goes on.
    turn.step.decide(more, author)
    return more
  },
  keep: ({ step }, more) => step.decide(more as boolean, step.decidedBy),
  toLog: { input: () => undefined },
  fromLog: undefined,
}
