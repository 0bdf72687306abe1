import { asMessage, asSaid } from '../base/message.ts'
import { endAsNoted } from '../turn/follow-directive.ts'
import { restartTurn } from '../turn/restart-turn.ts'
import { runTurnStages } from '../turn/run-turn-stages.ts'
import { settleTurn } from '../turn/settle-turn.ts'
import { foreseeResult, readTurnResult, turnResult } from '../turn/turn-result.ts'
import type { BuiltInStage } from '../types/stage.ts'

/** The turn: a user message worked to its end. */
export const turnStage: BuiltInStage<'turn'> = {
  name: 'turn',
  description: 'work one user message to its end',
  estimatedMs: 6000,
  longRunning: true,
  takes: 'message',
  gives: undefined,
  needed: 'name',
  precedesSteps: true,
  holdsOthers: true,
  opensWhenHalting: true,
  async body(frame, message) {
    const { turn } = frame
    turn.setMessage(asMessage(message, 'user', turn.message.id))
    restartTurn(turn)
    try {
      await runTurnStages(frame)
      endAsNoted(turn)
      await settleTurn(frame)
      return turnResult(turn)
    } finally {
      // A reply in flight was recorded; where the loop broke that is still to come, and needs the draft.
      if (turn.steering.ending) turn.step.clearDraft(turn.time.at)
    }
  },
  current: (turn, given) => asSaid(given, turn.message.id),
  read: readTurnResult,
  foresee: foreseeResult,
  toLog: undefined,
  fromLog: undefined,
}
