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
    const { turn } = frame
    turn.message = asMessage(message, 'user', turn.message.id)
    beginAgain(turn)
    try {
      await walkTurn(frame)
      endAsNoted(turn)
      await settleTurn(frame)
      return resultOf(turn)
    } finally {
      // What was in flight has landed; where the loop broke it is still to be settled.
      if (turn.ending) turn.draft = turn.newDraft()
    }
  },
  current: (turn, given) => asSaid(given, turn.message.id),
  read: readTurn,
}
