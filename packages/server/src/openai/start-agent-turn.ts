import { type NewMessage, TurnbuckleError } from 'turnbuckle'
import type { NewTurn } from 'turnbuckle/client'
import { instructions } from 'turnbuckle/middleware'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'
import { checkInput } from '../http/check-input.ts'
import { newTurn } from '../http/wire-schemas.ts'
import type { GivenInput } from './given-input.ts'
import type { KnownHistories } from './known-histories.ts'

/** A turn that a request has started. */
export interface StartedAnswer {
  readonly conversation: OpenConversation
  readonly turnId: string
  /** To be called with the text that the client was told, once the turn has ended. */
  readonly settle: (text: string) => Promise<void>
}

export interface AgentTurns {
  readonly conversations: ConversationService
  readonly histories: KnownHistories
}

/** The place that a request names itself: behind an earlier response, or at the head of a conversation. */
export interface NamedPlace {
  readonly previousId?: string | null | undefined
  readonly conversationId?: string | null | undefined
}

interface Asked extends NamedPlace {
  readonly person: string
  readonly input: GivenInput
  /** False where the conversation is deleted when the turn has ended. */
  readonly isKept: boolean
}

/**
 * Starts a turn for a request. One that names its place goes on there; one whose history the server has told goes on in that
 * conversation; any other begins a conversation with the history that it brings.
 */
export async function startAgentTurn(turns: AgentTurns, asked: Asked): Promise<StartedAnswer> {
  const { conversations, histories } = turns
  const { person, input, isKept } = asked
  // Before a conversation is made for it.
  const said = checkInput(newTurn, saidTurn(input), 'body.invalid')
  const { conversation, parentId, isNew } = await findPlace(turns, asked)
  const turn = { ...said, ...(parentId === undefined ? {} : { parentId }) } as NewTurn
  const use = input.instructions ? [instructions(input.instructions, { name: 'request-instructions' })] : []
  const { turnId } = await conversations.start(person, conversation.id, turn, undefined, use)
  const settle = async (text: string) => {
    if (!isKept && isNew) await conversations.delete(person, conversation.id)
    else histories.remember(person, told(input, text), { conversationId: conversation.id, turnId })
  }
  return { conversation, turnId, settle }
}

interface Place {
  readonly conversation: OpenConversation
  readonly parentId: string | null | undefined
  readonly isNew: boolean
}

async function findPlace({ conversations, histories }: AgentTurns, asked: Asked): Promise<Place> {
  const { person, input, isKept, previousId, conversationId } = asked
  if ((previousId || conversationId) && input.history.length)
    throw new TurnbuckleError('body.invalid', 'The conversation has its history: send the new message alone.')
  if (previousId) {
    const conversation = await conversations.ofTurn(person, previousId, 'talk')
    return { conversation, parentId: conversation.log.view.tip(previousId), isNew: false }
  }
  if (conversationId)
    return {
      conversation: await conversations.create(person, { id: conversationId }),
      parentId: undefined,
      isNew: false,
    }
  const known = isKept ? histories.find(person, input.history) : undefined
  const conversation = known && (await openKnown(conversations, person, known.conversationId))
  if (known && conversation) return { conversation, parentId: conversation.log.view.tip(known.turnId), isNew: false }
  const made = await conversations.create(person, { messages: input.history })
  return { conversation: made, parentId: undefined, isNew: true }
}

/** `undefined` for a conversation that was deleted since. */
const openKnown = (
  conversations: ConversationService,
  person: string,
  id: string,
): Promise<OpenConversation | undefined> => conversations.open(person, id, 'talk').catch(() => undefined)

function saidTurn({ question }: GivenInput): { text: string; attachments?: object[] } {
  const text = question.map(part => (part.type === 'text' ? part.text : '')).join('')
  const attachments = question.flatMap(part => {
    if (part.type !== 'file') return []
    const { type: _type, ...file } = part
    return [file]
  })
  return { text, ...(attachments.length ? { attachments } : {}) }
}

/** The history that the client will send with its next question. */
const told = ({ history, question }: GivenInput, text: string): NewMessage[] => [
  ...history,
  { role: 'user', content: question },
  { role: 'assistant', content: [{ type: 'text', text }] },
]
