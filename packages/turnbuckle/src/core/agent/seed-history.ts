import { asRecordable, type NewMessage } from '../base/message.ts'
import type { Thread } from '../events/shared-conversation.ts'
import { repairHistory } from '../history/repair-history.ts'
import type { TreeNode } from '../history/tree.ts'

/**
 * Puts a given history into a conversation that is empty. A call without a result gets one; a result without a call is
 * dropped.
 */
export function seed(thread: Thread, messages: readonly NewMessage[], ids: { next(kind: string): string }): void {
  if (thread.seq || thread.tree.nodes.length || thread.running.length) return
  const given = messages.map(message => asRecordable(message, 'user', message?.id ?? ids.next('msg')))
  let head: TreeNode | undefined
  for (const message of repairHistory(given)) head = thread.tree.add(head, message, undefined, thread.clock.now())
  thread.head = head
  thread.aside?.makeUp(thread.tree.nodes)
}
