import type { Conversation, Turn } from 'turnbuckle'
import { isTurnbuckleError } from '../base/is-turnbuckle-error.ts'
import type { TurnOrder, TurnStand, TurnStart } from '../conversations/turns/turn-runner.ts'

/** A turn is awaited as it is: a promise of one would be a promise of its result. */
interface BegunTurn {
  readonly turn: Turn
}

/** Codes of turns that can never begin, however often they are tried. */
const hopeless = ['message.missing', 'message.empty', 'conversation.deleted']

/**
 * Begins the turn of an order, or says why it never will. Throws where trying again may help. `carry` is called with the turn before
 * anything else can happen.
 */
export async function beginTurn(
  conversation: Conversation,
  order: TurnOrder,
  carry: (turn: Turn) => void,
): Promise<BegunTurn | TurnStand> {
  const { start, turnId } = order
  if (!start) return { state: 'gone', reason: 'The log does not have the turn.' }
  try {
    const turn = send(await handleAt(conversation, start.parentId), turnId, start)
    carry(turn)
    return { turn }
  } catch (error) {
    if (!isTurnbuckleError(error) || !hopeless.includes(error.code)) throw error
    return { state: 'gone', reason: error.message }
  }
}

async function handleAt(conversation: Conversation, parentId: string | null | undefined): Promise<Conversation> {
  if (parentId === undefined) return conversation
  await conversation.load()
  return conversation.fork(parentId)
}

function send(handle: Conversation, id: string, { message, tag, client }: TurnStart): Turn {
  const options = { id, tag, ...(client ? { client } : {}) }
  return message ? handle.send(message, options) : handle.continue(options)
}
