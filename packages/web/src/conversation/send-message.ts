import type { Attachment } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { sendOneAtATime } from '../state/send-one-at-a-time.ts'
import { beginTurn } from './begin-turn.ts'
import { giveNewSettings } from './change-own-settings.ts'
import { openConversation } from './open-conversation.ts'

/**
 * Begins a turn where this page looks, or on a new branch below `parentId`. Creates the conversation first where none is open.
 * Resolves to false when the message was not sent: the person keeps it.
 */
export async function sendMessage(
  text: string,
  attachments: readonly Attachment[],
  parentId?: string | null,
): Promise<boolean> {
  const { conversation, serverHead } = useAppState.getState()
  const look = conversation?.head ?? null
  // At the head the server says where that is: it may have moved in this moment.
  const at = parentId === undefined && conversation && look !== serverHead.id ? look : parentId
  const turn = {
    text,
    ...(attachments.length ? { attachments } : {}),
    ...(at === undefined ? {} : { parentId: at }),
  }
  const sent = await sendOneAtATime(() =>
    callServer(async client => {
      let id = useAppState.getState().openId
      if (id === undefined) {
        id = (await client.createConversation()).id
        await giveNewSettings(client, id)
        await openConversation(id, { withDraft: true })
      }
      await beginTurn(client, id, parentId === undefined ? look : parentId, turn)
      return true
    }),
  )
  return sent === true
}
