import { ClientError } from 'turnbuckle/client'
import { type DraftFile, type QueuedMessage, useAppState } from '../state/app-state.ts'
import { addToDraft, attachmentsOfDraft } from '../state/drafts.ts'
import { randomId } from '../state/random-id.ts'
import { showNotice } from '../state/show-notice.ts'
import { newestLeaf } from './facts/message-tree.ts'
import { runningTurn } from './facts/running-turn.ts'

const { getState: get, setState: set } = useAppState

/** Ids of the conversations to which a queued message is on its way. */
const sending = new Set<string>()

/**
 * Queues a message for the open conversation. It is sent when the running turn has ended, whichever conversation is
 * open by then.
 */
export function queueMessage(text: string, files: readonly DraftFile[]): void {
  const { openId, conversation, queuedMessages: outbox } = get()
  if (openId === undefined) return
  const turnId = conversation && runningTurn(conversation)
  const queued = { id: randomId(), conversationId: openId, text, files, ...(turnId === undefined ? {} : { turnId }) }
  set({ queuedMessages: [...outbox, queued] })
}
export const removeQueuedMessage = (id: string): void =>
  set({ queuedMessages: get().queuedMessages.filter(waiting => waiting.id !== id) })

/** Sends the first queued message of each conversation in which no turn runs. */
export function sendQueuedMessages(): void {
  const seen = new Set<string>()
  for (const waiting of get().queuedMessages) {
    const { conversationId } = waiting
    if (!seen.has(conversationId) && !sending.has(conversationId) && isFree(waiting)) void deliver(waiting)
    seen.add(conversationId)
  }
}

function isFree(queued: QueuedMessage): boolean {
  const { conversation, list, status } = get()
  if (status !== 'open') return false
  if (conversation?.id !== queued.conversationId)
    return list?.find(one => one.id === queued.conversationId)?.running === false
  const end = endOfBranch(queued)
  if (end === undefined) return !runningTurn(conversation)
  return !conversation.tips.has(queued.turnId ?? '') && ![...conversation.tips.values()].includes(end)
}

/** The end of the branch that a message was queued on, where that is known: another branch may be looked at by now. */
function endOfBranch({ conversationId, turnId }: QueuedMessage): string | undefined {
  const { conversation } = get()
  if (turnId === undefined || conversation?.id !== conversationId) return undefined
  const last = [...conversation.nodes.values()].findLast(node => node.turnId === turnId)
  return last && newestLeaf(conversation.nodes, last.id)
}

/** The message's id is the idempotency key: sent twice, by this tab or a copy of it, it begins one turn. */
async function deliver(queued: QueuedMessage): Promise<void> {
  const { id, conversationId, text, files } = queued
  const { client, serverHead } = get()
  const end = endOfBranch(queued)
  const place = end === undefined || end === serverHead.id ? {} : { parentId: end }
  const attachments = attachmentsOfDraft(files)
  sending.add(conversationId)
  try {
    await client?.send(conversationId, { text, ...place, ...(attachments.length ? { attachments } : {}) }, id)
    removeQueuedMessage(id)
  } catch (error) {
    const { code, message } = error instanceof ClientError ? error : { code: '', message: String(error) }
    // The message stays queued: another turn was first, or the server is away.
    if (code === 'turn.running' || code === 'server.unreachable') return
    removeQueuedMessage(id)
    addToDraft(conversationId, { text, files })
    showNotice(message)
  } finally {
    sending.delete(conversationId)
  }
}
