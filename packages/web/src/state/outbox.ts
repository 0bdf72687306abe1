import { type Attachment, ClientError } from 'turnbuckle/client'
import { say, useApp, type Waiting } from './app-state.ts'
import { runningTurn } from './path.ts'

const { getState: get, setState: set } = useApp

/** Conversations to which something is on its way. */
const sending = new Set<string>()

/** For the open conversation, when its running turn has ended; wherever the person is by then. */
export function queue(text: string, attachments: readonly Attachment[]): void {
  const { openId, outbox } = get()
  if (openId !== undefined)
    set({ outbox: [...outbox, { id: crypto.randomUUID(), conversationId: openId, text, attachments }] })
}
export const unqueue = (id: string): void => set({ outbox: get().outbox.filter(waiting => waiting.id !== id) })

/** What nothing stands in the way of any more, the first of each conversation. */
export function sendQueued(): void {
  const seen = new Set<string>()
  for (const waiting of get().outbox) {
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

/** Its id is the key: sent twice, by this tab or a copy of it, it is one turn. */
async function deliver({ id, conversationId, text, attachments }: Waiting): Promise<void> {
  const { client } = get()
  sending.add(conversationId)
  try {
    await client?.send(conversationId, { text, ...(attachments.length ? { attachments } : {}) }, id)
    unqueue(id)
  } catch (error) {
    const { code, message } = error instanceof ClientError ? error : { code: '', message: String(error) }
    // It waits on: somebody else was first, or the server is away.
    if (code === 'turn.running' || code === 'server.unreachable') return
    unqueue(id)
    const { draft } = get()
    set({
      draft: {
        text: [draft.text, text].filter(Boolean).join('\n'),
        files: [...draft.files, ...attachments],
      },
    })
    say(message)
  } finally {
    sending.delete(conversationId)
  }
}
