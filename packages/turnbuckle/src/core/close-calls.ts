import { resultMessage } from './message.ts'
import { openCallsAt } from './open-calls.ts'
import type { Thread } from './thread.ts'
import type { TreeNode } from './tree.ts'

/** Going on from a message with open calls: their results are made up first, so that the history holds. */
export function closeCalls(thread: Thread, head: TreeNode): TreeNode {
  let node = head
  const made = openCallsAt(head).map(call => {
    const id = thread.tree.place(`${head.id}.${call.id}`) as string
    const result = resultMessage(id, call, { status: 'interrupted', value: 'Not run on this branch.' })
    node = thread.tree.add(node, result, undefined, thread.clock.now())
    return node
  })
  if (made.length) thread.makeUp(made)
  return node
}
