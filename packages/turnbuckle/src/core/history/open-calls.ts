import { type Call, callsOf } from '../base/message.ts'
import type { TreeNode } from './tree.ts'

/** The calls that have no result yet on the path to `head`, in call order. */
export function openCallsAt(head: TreeNode | undefined): Call[] {
  let node = head
  while (node?.message.role === 'tool') node = node.parent
  const calls = node?.message.role === 'assistant' ? callsOf(node.message) : []
  if (!calls.length) return calls
  const answered = new Set<string>()
  for (let at = head; at && at !== node; at = at.parent)
    for (const part of at.message.content) if (part.type === 'result') answered.add(part.id)
  return calls.filter(call => !answered.has(call.id))
}
