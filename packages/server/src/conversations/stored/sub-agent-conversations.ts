import type { Event } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'

/** `agentTool` tells it in the caller's log. */
interface AgentStarted {
  readonly type: 'agent.started'
  readonly agentConversationId: string
}

/** The conversations of the sub-agents that worked for a conversation, and of those that worked for them. */
export async function subAgentConversations(store: ConversationStore, id: string): Promise<string[]> {
  const events: readonly (Event | AgentStarted)[] = await store.events(id)
  const calls = new Set<string>()
  const found = new Set<string>()
  for (const event of events) {
    if (event.type === 'tool.executing') calls.add(idempotencyKey(event))
    // Any tool may emit an event of this type: one that names a conversation of no call here is not believed.
    if (event.type === 'agent.started' && calls.has(event.agentConversationId)) found.add(event.agentConversationId)
  }
  const deeper = await Promise.all([...found].map(conversation => subAgentConversations(store, conversation)))
  return [...found, ...deeper.flat()]
}

/** A call's idempotency key: a sub-agent that works for the call has a conversation of this id. */
const idempotencyKey = ({ turnId, callId }: { readonly turnId?: string; readonly callId: string }): string =>
  `${turnId}.${callId}`
