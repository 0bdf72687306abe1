import type { WireTurn } from 'turnbuckle/client'
import { isTurnbuckleError } from '../base/is-turnbuckle-error.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'

/** False for a turn that has ended meanwhile. */
export async function interruptTurn(
  conversations: ConversationService,
  person: string,
  turnId: string,
): Promise<boolean> {
  try {
    await conversations.actOnTurn(person, turnId, { type: 'interrupt', reason: 'stopped' })
    return true
  } catch (error) {
    if (isTurnbuckleError(error) && error.code === 'turn.ended') return false
    throw error
  }
}

/** Ends the turns that run in the way of a client's next one: a client that says something else has given them up. */
export async function endGivenUpTurns(
  conversations: ConversationService,
  person: string,
  { log }: OpenConversation,
  isInTheWay: (turn: WireTurn) => boolean,
): Promise<void> {
  for (const turn of log.view.turns) {
    if (turn.status !== 'running' || !isInTheWay(turn)) continue
    await interruptTurn(conversations, person, turn.id)
    await log.until(() => log.view.turn(turn.id)?.status !== 'running')
  }
}
