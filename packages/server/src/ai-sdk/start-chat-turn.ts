import { type Middleware, TurnbuckleError, textOf } from 'turnbuckle'
import { fromUIMessage, type SentUIMessage } from 'turnbuckle/ai-sdk'
import type { NewTurn } from 'turnbuckle/client'
import { instructions } from 'turnbuckle/middleware'
import type { z } from 'zod'
import { clientTools, clientToolsOf } from '../clients/client-tools.ts'
import { endGivenUpTurns } from '../clients/end-given-up-turns.ts'
import type { ConversationService } from '../conversations/conversation-service.ts'
import type { OpenConversation } from '../conversations/open/open-conversation.ts'
import { checkInput } from '../http/check-input.ts'
import type { chatRoutes } from '../http/client-routes.ts'
import { newTurn } from '../http/wire-schemas.ts'
import { knownMessage, placeMessage, type Tree } from './place-message.ts'

type Chat = z.output<typeof chatRoutes.chat.body>

/** The messages that the client has sent: all, or the last alone. */
export function messagesOf({ messages = [], message }: Chat): readonly SentUIMessage[] {
  const all = message ? [message] : messages
  if (all.length) return all
  throw new TurnbuckleError('body.invalid', 'messages: at least one is expected.')
}

function treeOf(conversation: OpenConversation | undefined): Tree {
  if (!conversation) return { nodes: [], tipOf: () => undefined }
  const { log } = conversation
  const nodes = log.head.handle.tree
  const tipOf = (id: string) => (log.view.turn(id) ? log.view.tip(id) : nodes.find(node => node.id === id)?.id)
  return { nodes, tipOf }
}

/** The turn that the client asks for. Throws where it cannot begin there: without a conversation, in a new one. */
export const chatTurn = (chat: Chat, conversation?: OpenConversation): NewTurn =>
  checkInput(newTurn, newTurnOf(conversation, chat), 'body.invalid') as NewTurn

/** Starts the turn that the client asks for, and ends the one that it has given up. */
export async function startChatTurn(
  conversations: ConversationService,
  person: string,
  conversation: OpenConversation,
  chat: Chat,
): Promise<string> {
  const turn = chatTurn(chat, conversation)
  const { view } = conversation.log
  const before = 'text' in turn ? (turn.parentId === undefined ? conversation.head : turn.parentId) : undefined
  await endGivenUpTurns(conversations, person, conversation, ({ id, parentId }) =>
    'regenerate' in turn ? questionOf(conversation, id, parentId) === turn.regenerate : view.tip(id) === before,
  )
  return (await conversations.start(person, conversation.id, turn, undefined, useOf(chat))).turnId
}

/** The client's own tools, and what it says to the model: for this turn. */
function useOf({ tools, system }: Chat): Middleware[] {
  const own = clientToolsOf(tools)
  return [
    ...(own.length ? [clientTools(own)] : []),
    ...(system ? [instructions(system, { name: 'request-instructions' })] : []),
  ]
}

/** The message of a person that a turn answers. */
function questionOf(conversation: OpenConversation, turnId: string, parentId: string | null): string | undefined {
  const { nodes } = treeOf(conversation)
  const isQuestion = (node: Tree['nodes'][number]) =>
    node.turnId === turnId && node.message.role === 'user' && (node.parentId ?? null) === parentId
  return nodes.find(isQuestion)?.id ?? parentId ?? undefined
}

function newTurnOf(conversation: OpenConversation | undefined, chat: Chat): NewTurn {
  const messages = messagesOf(chat)
  const isAgain = chat.trigger === 'regenerate-message'
  const tree = treeOf(conversation)
  const given = isAgain && chat.messageId ? conversation?.log.view.turn(chat.messageId) : undefined
  const question = conversation && given && questionOf(conversation, given.id, given.parentId)
  if (question) return { regenerate: question }
  const last = messages.at(-1)
  if (last?.role !== 'user') throw new TurnbuckleError('body.invalid', 'The last message must be a person’s.')
  const { parentId, words } = placeMessage(messages, tree, isAgain || chat.messageId != null)
  const known = isAgain ? knownMessage(last, tree, parentId ?? null) : undefined
  if (known) return { regenerate: known.id }
  return { ...saidTurn(words), ...(parentId === undefined ? {} : { parentId }) }
}

function saidTurn(words: readonly SentUIMessage[]): NewTurn & { readonly text: string } {
  const messages = words.map(fromUIMessage)
  const attachments = messages.flatMap(({ content }) =>
    content.flatMap(part => {
      if (part.type !== 'file') return []
      const { type: _type, data, ...file } = part
      return [{ ...file, data: String(data) }]
    }),
  )
  return { text: messages.map(textOf).join('\n\n'), ...(attachments.length ? { attachments } : {}) }
}
