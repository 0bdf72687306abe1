import { type Attachment, ClientError } from 'turnbuckle/client'
import { type QueuedMessage, useAppState } from '../state/app-state.ts'
import { addToDraft } from '../state/drafts.ts'
import { randomId } from '../state/random-id.ts'
import { showNotice } from '../state/show-notice.ts'
import { runningTurn } from './running-turn.ts'

const { getState: get, setState: set } = useAppState

/** Ids of the conversations to which a queued message is on its way. */
const sending = new Set<string>()

/**
 * Queues a message for the open conversation. It is sent when the running turn has ended, whichever conversation is
 * open by then.
 */
export function queueMessage(text: string, attachments: readonly Attachment[]): void {
  const { openId, queuedMessages: outbox } = get()
  if (openId !== undefined)
    set({ queuedMessages: [...outbox, { id: randomId(), conversationId: openId, text, attachments }] })
}
export const removeQueuedMessage = (id: string): void =>
  set({ queuedMessages: get().queuedMessages.filter(waiting => waiting.id !== id) })

/** Sends the first queued message of each conversation in which no turn runs. */
export function sendQueuedMessages(): void {
  const seen = new Set<string>()
  for (const waiting of get().queuedMessages) {
    const { conversationId } = waiting
    if (!seen.has(conversationId) && !sending.has(conversationId) && isFree(conversationId)) void deliver(waiting)
    seen.add(conversationId)
  }
}

function isFree(id: string): boolean {
  const { conversation, list, status } = get()
  if (status !== 'open') return false
  if (conversation?.id === id) return !runningTurn(conversation)
  return list?.find(one => one.id === id)?.running === false
}

/** The message's id is the idempotency key: sent twice, by this tab or a copy of it, it begins one turn. */
async function deliver({ id, conversationId, text, attachments }: QueuedMessage): Promise<void> {
  const { client } = get()
  sending.add(conversationId)
  try {
    await client?.send(conversationId, { text, ...(attachments.length ? { attachments } : {}) }, id)
    removeQueuedMessage(id)
  } catch (error) {
    const { code, message } = error instanceof ClientError ? error : { code: '', message: String(error) }
    // The message stays queued: another turn was first, or the server is away.
    if (code === 'turn.running' || code === 'server.unreachable') return
    removeQueuedMessage(id)
    addToDraft(conversationId, { text, files: attachments })
    showNotice(message)
  } finally {
    sending.delete(conversationId)
  }
}
