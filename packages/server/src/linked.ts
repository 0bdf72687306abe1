import type { ConversationStore } from 'turnbuckle/stores'

/** The conversations of the sub-agents that worked for a conversation, and of those that worked for them. */
export async function linkedTo(store: ConversationStore, id: string): Promise<string[]> {
  const turns = await store.turns({ conversation: id })
  const found = new Set<string>()
  for (const event of await store.events(id)) {
    if ((event.type as string) !== 'agent.started') continue
    const rows = await store.turns({ id: (event as unknown as { agentTurnId: string }).agentTurnId })
    // Each is named after the call it worked for.
    for (const { conversation } of rows)
      if (turns.some(turn => conversation.startsWith(`${turn.id}.`))) found.add(conversation)
  }
  const deeper = await Promise.all([...found].map(conversation => linkedTo(store, conversation)))
  return [...found, ...deeper.flat()]
}
