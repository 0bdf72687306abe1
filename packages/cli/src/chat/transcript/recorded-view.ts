import type { Conversation } from 'turnbuckle'
import { type ConversationState, conversationState } from 'turnbuckle/client'

/** The view of a chat that has no conversation yet. */
export const emptyView: ConversationState = conversationState({
  id: '',
  title: '',
  head: null,
  seq: 0,
  at: 0,
  nodes: [],
  turns: [],
  requests: [],
  calls: [],
})

/**
 * The view of a conversation to apply events to. Messages of unfinished turns are left out: their events are applied
 * from the beginning, when they are shown and when they are resumed.
 */
export function recordedView({ id, title, head, tree, unfinished }: Conversation): ConversationState {
  const nodes = tree.flatMap(({ id, parentId, turnId, message, createdAt }) =>
    turnId !== undefined && unfinished.includes(turnId)
      ? []
      : [{ id, parentId: parentId ?? null, turnId: turnId ?? null, message, createdAt }],
  )
  return conversationState({
    id,
    title: title ?? '',
    head: head ?? null,
    seq: 0,
    at: 0,
    nodes,
    turns: [],
    requests: [],
    calls: [],
  })
}
