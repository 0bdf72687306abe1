import type { ConversationStore } from 'turnbuckle/stores'
import { linkedTo } from './linked.ts'
import { storedPermissions } from './permissions.ts'
import { Shelf } from './shelf.ts'
import { Traces } from './traces.ts'

/** Deletes a conversation with all that a server keeps of it: sub-agents' conversations, timelines, choices, its card. */
export async function eraseConversation(store: ConversationStore, id: string): Promise<void> {
  const shelf = new Shelf(store)
  const traces = new Traces(store)
  const permissions = storedPermissions(store)
  await shelf.remove(id, async ({ owner }) => {
    for (const one of [id, ...(await linkedTo(store, id))]) {
      for (const turn of await store.turns({ conversation: one })) await traces.erase(turn.id, false)
      await store.delete(one)
    }
    for (const grant of await permissions.list(owner))
      if (grant.scope === 'conversation' && grant.conversationId === id) await permissions.revoke(owner, grant.id)
  })
}
