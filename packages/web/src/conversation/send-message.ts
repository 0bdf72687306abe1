import type { Attachment, Client } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { sendOneAtATime } from '../state/send-one-at-a-time.ts'
import { beginTurn } from './begin-turn.ts'
import { giveNewSettings } from './change-own-settings.ts'
import { openConversation } from './open-conversation.ts'

/**
 * Begins a turn where this page looks, or on a new branch below `parentId`. Creates the conversation first where none is open.
 * Resolves to the conversation that has it; to `undefined` when the message was not sent: the person keeps it.
 */
export async function sendMessage(
  text: string,
  attachments: readonly Attachment[],
  parentId?: string | null,
): Promise<string | undefined> {
  const { conversation, serverHead, openId } = useAppState.getState()
  const look = conversation?.head ?? null
  // At the head the server says where that is: it may have moved in this moment.
  const at = parentId === undefined && conversation && look !== serverHead.id ? look : parentId
  const turn = {
    text,
    ...(attachments.length ? { attachments } : {}),
    ...(at === undefined ? {} : { parentId: at }),
  }
  return sendOneAtATime(() =>
    callServer(async client => {
      const id = openId ?? (await makeConversation(client))
      await beginTurn(client, id, parentId === undefined ? look : parentId, turn)
      return id
    }),
  )
}

/** A new conversation, opened unless the person has gone from the blank page to another one meanwhile. */
async function makeConversation(client: Client): Promise<string> {
  const { id } = await client.createConversation()
  await giveNewSettings(client, id)
  if (useAppState.getState().openId === undefined) await openConversation(id, { withDraft: true })
  return id
}
