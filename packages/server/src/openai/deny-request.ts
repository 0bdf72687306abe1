import type { Event } from 'turnbuckle'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'

const denial = {
  decision: 'deny',
  reason: 'Nobody can be asked here: the request came over an interface without questions.',
}

/**
 * Ends a question that a client of OpenAI's cannot be asked: a permission is denied, any other question is over at once and its
 * fallback counts.
 */
export function denyRequest(conversation: OpenConversation, event: Event): void {
  if (event.type !== 'request.opened' || event.turnId === undefined) return
  const { requestId, kind, turnId } = event
  const turn = conversation.turn(turnId)
  const expire = () => turn?.expire(requestId)
  // The asker is still telling of its question: it is answered after that.
  queueMicrotask(() => {
    try {
      if (kind === 'permission') void turn?.answer(requestId, denial)?.catch(expire)
      else expire()
    } catch {
      // A vote takes no answer without an author.
      if (turn?.requests.some(({ id }) => id === requestId)) expire()
    }
  })
}
