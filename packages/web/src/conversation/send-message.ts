import type { Attachment } from 'turnbuckle/client'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { randomId } from '../state/random-id.ts'
import { sendOneAtATime } from '../state/send-one-at-a-time.ts'
import { openConversation } from './open-conversation.ts'

/**
 * Begins a turn at the head, or on a new branch below `parentId`. Creates the conversation first where none is open.
 * Resolves to false when the message was not sent: the person keeps it.
 */
export async function sendMessage(
  text: string,
  attachments: readonly Attachment[],
  parentId?: string | null,
): Promise<boolean> {
  const turn = {
    text,
    ...(attachments.length ? { attachments } : {}),
    ...(parentId === undefined ? {} : { parentId }),
  }
  const key = randomId()
  const sent = await sendOneAtATime(() =>
    callServer(async client => {
      let id = useAppState.getState().openId
      if (id === undefined) {
        id = (await client.createConversation()).id
        await openConversation(id, { withDraft: true })
      }
      return client.send(id, turn, key)
    }),
  )
  return sent !== undefined
}
