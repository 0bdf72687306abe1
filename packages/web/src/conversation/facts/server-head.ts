import type { ConversationState, WireEvent } from 'turnbuckle/client'

/** The conversation's head on the server: where the next message goes by default, and where a new tab opens. */
export interface ServerHead {
  readonly id: string | null
  /** The running turn that it moves with. */
  readonly turnId: string | undefined
}

export const serverHeadOf = ({ head, headTurn }: ConversationState): ServerHead => ({ id: head, turnId: headTurn })

/** The server's head after an event; `tips` are the running turns of the state before it. */
export function moveServerHead(head: ServerHead, event: WireEvent, tips: ConversationState['tips']): ServerHead {
  switch (event.type) {
    case 'turn.started':
      // A running turn that is told again from its beginning moves nothing.
      return tips.has(event.turnId ?? '') ? head : { id: event.parentId ?? null, turnId: event.turnId }
    case 'message.added':
      return event.turnId && event.turnId === head.turnId ? { ...head, id: event.messageId } : head
    case 'head.moved': {
      const id = event.to ?? null
      return { id, turnId: [...tips].find(([, tip]) => tip !== null && tip === id)?.[0] }
    }
    default:
      return 'outcome' in event && event.turnId === head.turnId ? { ...head, turnId: undefined } : head
  }
}
