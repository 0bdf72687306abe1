import { type Turn, TurnbuckleError } from 'turnbuckle'
import type { TurnAct } from '../turns/asked-turn.ts'
import type { FollowedLog } from './followed-log.ts'

/** Interrupts a turn that runs here, or interjects. Throws `turn.ended` for one that is over, `conversation.locked` for one of another process. */
export function actOnTurn(log: Pick<FollowedLog, 'turns' | 'turnsElsewhere'>, turnId: string, act: TurnAct): void {
  const turn = runningTurn(log, turnId)
  if (act.type === 'interrupt') turn.interrupt(act.reason)
  else turn.interject(act.text)
}

function runningTurn({ turns, turnsElsewhere }: Pick<FollowedLog, 'turns' | 'turnsElsewhere'>, id: string): Turn {
  const turn = turns.get(id)
  if (turn && !turn.ended) return turn
  if (turnsElsewhere.some(one => one.id === id))
    throw new TurnbuckleError(
      'conversation.locked',
      'Another process, or an agent that called this one, works on that turn.',
    )
  throw new TurnbuckleError('turn.ended', 'The turn is over.')
}
