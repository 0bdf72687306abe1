import type { LiveMessage, Part, WireNode } from 'turnbuckle/client'
import { partialJson } from './partial-json.ts'

const nodes = new WeakMap<LiveMessage, WireNode>()

/** The tree node that a live message will be recorded as, so that the same components draw it before and after. */
export function liveNode(message: LiveMessage): WireNode {
  const known = nodes.get(message)
  if (known) return known
  const { id, parentId, turnId } = message
  const node = { id, parentId, turnId, createdAt: 0, message: { id, role: 'assistant', content: contentOf(message) } }
  nodes.set(message, node as WireNode)
  return node as WireNode
}

const contentOf = ({ reasoning, text, calls }: LiveMessage): Part[] => [
  ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
  ...(text ? [{ type: 'text' as const, text }] : []),
  ...calls.map(call => ({ type: 'call' as const, id: call.id, name: call.name, args: partialJson(call.text) })),
]
