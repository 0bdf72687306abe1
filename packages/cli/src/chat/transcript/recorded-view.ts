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
 * The view of a conversation to apply events to. It begins without messages: recorded ones are items already, and a
 * long conversation is not read for them.
 */
export const recordedView = ({ id, title, head }: Pick<Conversation, 'id' | 'title' | 'head'>): ConversationState => ({
  ...emptyView,
  id,
  title: title ?? '',
  head: head ?? null,
})
