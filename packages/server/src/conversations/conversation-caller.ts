import type { ConversationCaller } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import type { OpenConversation } from './open/open-conversation.ts'

interface Lookup {
  readonly store: ConversationStore | undefined
  /** The conversation of a turn, `undefined` where the person does not see it. */
  readonly ofTurn: (turnId: string) => Promise<OpenConversation | undefined>
}

/** The conversation that a sub-agent's conversation works for; `undefined` where it is no sub-agent's. */
export async function conversationCaller(
  id: string,
  { store, ofTurn }: Lookup,
): Promise<ConversationCaller | undefined> {
  const turnId = (await store?.conversation(id))?.caller
  const caller = turnId === undefined ? undefined : await ofTurn(turnId)
  if (!caller) return undefined
  const call = caller.log.view.wireCalls.find(({ agent }) => agent?.conversationId === id)
  const messageId = call?.messageId
  return {
    conversationId: caller.id,
    title: caller.title,
    agent: call?.agent?.name ?? '',
    ...(messageId === undefined ? {} : { messageId }),
  }
}
