import { resultMessage } from '../base/message.ts'
import type { SharedConversation } from '../events/shared-conversation.ts'
import { openCallsAt } from './open-calls.ts'
import type { TreeNode } from './tree.ts'

/** Going on from a message with open calls: their results are made up first, so that the history holds. */
export function closeCalls(conversation: SharedConversation, head: TreeNode): TreeNode {
  const { tree } = conversation
  const made: TreeNode[] = []
  let node = head
  // Branches that leave from here with the same states share them.
  const isSame = (known: TreeNode) => known.parent === node && known.state === node.state
  for (const call of openCallsAt(head)) {
    const place = tree.place(`${head.id}.${call.id}`, isSame)
    if (typeof place === 'string') {
      const result = resultMessage(place, call, { status: 'interrupted', value: 'Not run on this branch.' })
      node = tree.add(node, result, undefined, conversation.clock.now())
      made.push(node)
    } else node = place
  }
  if (made.length) conversation.makeUp(made)
  return node
}
