import { asMessage, asSaid } from '../base/message.ts'
import { beginAgain } from '../turn/restart-turn.ts'
import { settleTurn } from '../turn/settle-turn.ts'
import { walkTurn } from '../turn/step-loop.ts'
import { endAsNoted } from '../turn/turn-ending.ts'
import { readTurn, resultOf } from '../turn/turn-result.ts'
import type { Stage } from './stage.ts'

/** One user message worked to its end. */
export const turn: Stage = {
  name: 'turn',
  description: 'work one user message to its end',
  longRunning: true,
  async body(frame, message) {
    const { run } = frame
    run.message = asMessage(message, 'user', run.message.id)
    beginAgain(run)
    try {
      await walkTurn(frame)
      endAsNoted(run)
      await settleTurn(frame)
      return resultOf(run)
    } finally {
      // What was in flight has landed; where the loop broke it is still to be settled.
      if (run.ending) run.draft = run.newDraft()
    }
  },
  current: (run, given) => asSaid(given, run.message.id),
  read: readTurn,
}
