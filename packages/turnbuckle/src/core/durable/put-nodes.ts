import type { Node, Recorded, Tree, TreeNode } from '../history/tree.ts'
import type { LogNode } from './log-port.ts'

const recorded = ({ message, turn, at, usage, state, hidden }: LogNode): Recorded => ({
  message,
  turnId: turn,
  createdAt: at,
  usage,
  state,
  hidden,
})

/** Puts every message of the log into the tree, in the order of the log. */
export function putNodes(tree: Tree, nodes: readonly LogNode[]): void {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const put = (node: LogNode): void => {
    if (tree.has(node.id)) return
    const parent = node.parent === undefined ? undefined : byId.get(node.parent)
    // A parent that is not nearer to the root is damage: the two would wait for each other.
    if (parent && parent.depth < node.depth) put(parent)
    tree.restore(node.parent === undefined ? undefined : tree.find(node.parent), recorded(node))
  }
  for (const node of nodes) put(node)
  tree.arrange(nodes.map(({ id }) => id))
}

/** Puts a stretch of a path into the tree, behind its messages that are there already. Gives its last message. */
export function putPath(tree: Tree, path: readonly LogNode[]): TreeNode | undefined {
  const known = path.findLastIndex(({ id }) => tree.has(id))
  const first = path[known + 1]
  if (!first) return tree.find(path.at(-1)?.id ?? '')
  return tree.graft(path.slice(known + 1).map(recorded), first.depth - 1, first.parent)
}

/** A message of the log as callers see it. */
export const publicNode = ({ id, parent, turn, at, message, usage }: LogNode): Node => ({
  id,
  parentId: parent,
  message,
  turnId: turn,
  createdAt: at,
  ...(usage ? { usage } : {}),
  ...(usage?.cost === undefined ? {} : { cost: usage.cost }),
})
