import type { Usage } from 'turnbuckle/client'
import { childrenOf, type MessageTree, pathTo } from '../conversation/facts/message-tree.ts'
import { usageOnPath } from '../conversation/facts/usage-on-path.ts'

/** The tokens and cost of each branch, by its last message. Branches that cost nothing yet are left out. */
export function usageOfBranches(nodes: MessageTree): ReadonlyMap<string, Usage> {
  const children = childrenOf(nodes)
  const leaves = [...nodes.keys()].filter(id => !children.has(id))
  const branches = leaves.map(leaf => [leaf, usageOnPath(pathTo(nodes, leaf))] as const)
  return new Map(branches.filter(([, { inputTokens, outputTokens, cost }]) => cost || inputTokens + outputTokens > 0))
}
