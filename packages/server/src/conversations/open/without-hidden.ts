import type { Conversation } from 'turnbuckle'

type Tree = Conversation['tree']

/** The tree without hidden messages and all below them. */
export function withoutHidden(tree: Tree, hidden: ReadonlySet<string>): Tree {
  if (!hidden.size) return tree
  const gone = subtree(tree, hidden)
  return tree.filter(({ id }) => !gone.has(id))
}

/** The messages `roots` and all below them. */
export function subtree(tree: Tree, roots: ReadonlySet<string>): Set<string> {
  const inside = new Set(roots)
  for (const { id, parentId } of tree) if (parentId != null && inside.has(parentId)) inside.add(id)
  return inside
}
