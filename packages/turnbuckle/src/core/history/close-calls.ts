import { resultMessage } from '../base/message.ts'
import type { Thread } from '../events/shared-conversation.ts'
import { openCallsAt } from './open-calls.ts'
import type { TreeNode } from './tree.ts'

/** Going on from a message with open calls: their results are made up first, so that the history holds. */
export function closeCalls(thread: Thread, head: TreeNode): TreeNode {
  const { tree } = thread
  const made: TreeNode[] = []
  let node = head
  // Branches that leave from here with the same states share them.
  const isSame = (known: TreeNode) => known.parent === node && known.state === node.state
  for (const call of openCallsAt(head)) {
    const place = tree.place(`${head.id}.${call.id}`, isSame)
    if (typeof place === 'string') {
      const result = resultMessage(place, call, { status: 'interrupted', value: 'Not run on this branch.' })
      node = tree.add(node, result, undefined, thread.clock.now())
      made.push(node)
    } else node = place
  }
  if (made.length) thread.makeUp(made)
  return node
}
