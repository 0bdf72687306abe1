import { resultsForOpen } from '../history/call-pairing.ts'
import type { TreeNode } from '../history/tree.ts'
import type { ConversationCore } from '../types/conversation-core.ts'
import { addedEvent } from './event-makers.ts'

/** Going on from a message with open calls: their results are made up first, so that the history holds. Gives the new tip. */
export function closeOpenCalls(conversation: ConversationCore, head: TreeNode): TreeNode {
  const { tree, clock } = conversation
  const made: TreeNode[] = []
  let node = head
  for (const { id, message } of resultsForOpen(head)) {
    // Branches that leave from here with the same states share the results.
    const place = tree.place(id, known => known.parent === node && known.state === node.state)
    if (typeof place === 'string') {
      node = tree.add(node, { ...message, id: place }, undefined, clock.now())
      made.push(node)
    } else node = place
  }
  for (const one of made) conversation.tell(addedEvent(one), undefined, 'nextWrite')
  if (made.length) conversation.outsideTurns?.writeQueued()
  return node
}
