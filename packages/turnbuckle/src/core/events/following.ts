import type { TreeNode } from '../history/tree.ts'
import type { TurnState } from '../turn/turn-state.ts'
import type { SharedConversation } from './shared-conversation.ts'

/** Turns that go on from where the conversation is, not from a place of their own. */
const followers = new WeakSet<TurnState>()

export const follow = (turn: TurnState): void => void followers.add(turn)

/** Another process has moved the conversation on: what has not begun here follows it. */
export function movedElsewhere(conversation: SharedConversation, head: TreeNode | undefined): void {
  conversation.head = head
  if (conversation.latest?.over) conversation.latest = undefined
  for (const turn of conversation.running)
    if (turn.phase === 'waiting' && followers.has(turn)) turn.branch.startAt(head)
}
