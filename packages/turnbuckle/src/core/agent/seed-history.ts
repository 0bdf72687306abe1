import { asRecordable, type NewMessage } from '../base/message.ts'
import { addedEvent } from '../events/event-makers.ts'
import { repairHistory } from '../history/repair-history.ts'
import type { TreeNode } from '../history/tree.ts'
import type { ConversationCore } from '../types/conversation-core.ts'

/**
 * Puts a given history into a conversation that is empty. A call without a result gets one; a result without a call is
 * dropped.
 */
export function seedHistory(
  conversation: ConversationCore,
  messages: readonly NewMessage[],
  ids: { next(kind: string): string },
): void {
  if (conversation.seq || conversation.tree.nodes.length || conversation.running.length) return
  const given = messages.map(message => asRecordable(message, 'user', message?.id ?? ids.next('msg')))
  let head: TreeNode | undefined
  for (const message of repairHistory(given))
    head = conversation.tree.add(head, message, undefined, conversation.clock.now())
  conversation.head = head
  const { outsideTurns } = conversation
  if (!outsideTurns) return
  for (const node of conversation.tree.nodes) conversation.tell(addedEvent(node), undefined, 'nextWrite')
  outsideTurns.writeQueued()
}
