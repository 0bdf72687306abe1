import { type ConversationStore, KeptFiles } from 'turnbuckle/stores'
import { ShareLinks } from '../../access/share-links.ts'
import { storedPermissions } from '../../access/stored-permissions.ts'
import { StoredTraces } from '../../inspector/stored-traces.ts'
import { ConversationIndex } from './conversation-index.ts'
import { subAgentConversations } from './sub-agent-conversations.ts'

/** Deletes a conversation with its sub-agents' conversations, traces, files, read-only links, permissions and index entry. */
export async function eraseConversation(store: ConversationStore, id: string): Promise<void> {
  const index = new ConversationIndex(store)
  const traces = new StoredTraces(store)
  const permissions = storedPermissions(store)
  await index.remove(id, async ({ owner }) => {
    for (const one of [id, ...(await subAgentConversations(store, id))]) {
      for (const turn of await store.turns({ conversation: one })) await traces.erase(turn.id, false)
      await store.delete(one)
    }
    await new KeptFiles(store).eraseOf(id)
    await new ShareLinks(store).forget(id)
    for (const grant of await permissions.list(owner))
      if (grant.scope === 'conversation' && grant.conversationId === id) await permissions.revoke(owner, grant.id)
  })
}
