import { type Call, callsOf } from './message.ts'
import type { TreeNode } from './tree.ts'

/** The calls that have no result yet on the path to `head`, in call order. */
export function openCallsAt(head: TreeNode | undefined): Call[] {
  const answered = new Set<string>()
  let node = head
  for (; node?.message.role === 'tool'; node = node.parent)
    for (const part of node.message.content) if (part.type === 'result') answered.add(part.id)
  if (node?.message.role !== 'assistant') return []
  return callsOf(node.message).filter(call => !answered.has(call.id))
}
