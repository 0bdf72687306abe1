import { type ConversationStore, KeptFiles } from 'turnbuckle/stores'
import { ShareLinks } from '../../access/share-links.ts'
import { Shares } from '../../access/shares.ts'
import { storedPermissions } from '../../access/stored-permissions.ts'
import { StoredTraces } from '../../inspector/stored-traces.ts'
import { ConversationIndex } from './conversation-index.ts'
import { StoredSchedules } from './stored-schedules.ts'
import { subAgentConversations } from './sub-agent-conversations.ts'

/** Deletes a conversation and its sub-agents', with their traces, files, schedules, shares, read-only links, permissions and index entries. */
export async function eraseConversation(store: ConversationStore, id: string): Promise<void> {
  const ids = [...(await subAgentConversations(store, id)), id]
  const permissions = storedPermissions(store)
  await new ConversationIndex(store).removeAll(ids, async ({ owner }) => {
    for (const one of ids) await eraseOne(store, one)
    for (const grant of await permissions.list(owner))
      if (grant.scope === 'conversation' && ids.some(one => one === grant.conversationId))
        await permissions.revoke(owner, grant.id)
  })
}

async function eraseOne(store: ConversationStore, id: string): Promise<void> {
  const traces = new StoredTraces(store)
  for (const turn of await store.turns({ conversation: id })) await traces.erase(turn.id, false)
  await store.delete(id)
  await new KeptFiles(store).eraseOf(id)
  await new StoredSchedules(store).forget(id)
  await new ShareLinks(store).forget(id)
  const shares = new Shares(store)
  await shares.refresh()
  await shares.forget(id)
}
