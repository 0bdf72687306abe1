import { wantsMore } from '../outcome.ts'
import type { Stage } from '../stage.ts'

/** Goes on, or ends: whether the model asked for more. What hooks say about it is the resolver's business. */
export const decide: Stage = {
  name: 'decide',
  light: true,
  description: 'go on, or end',
  body: ({ run }) => wantsMore(run),
  read: () => false,
  keep: (run, more) => {
    run.more = more as boolean
  },
}
