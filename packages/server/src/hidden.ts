import type { Conversation } from 'turnbuckle'
import { missing } from './failure.ts'

type Tree = Conversation['tree']

/** What was hidden, with everything below it. The log keeps it. */
export class Hidden {
  readonly #roots = new Set<string>()

  add(messageId: string): void {
    this.#roots.add(messageId)
  }
  /** The tree without it. */
  without(tree: Tree): Tree {
    if (!this.#roots.size) return tree
    const hidden = subtree(tree, this.#roots)
    return tree.filter(({ id }) => !hidden.has(id))
  }
  /** One does not go on from what is hidden. */
  check(tree: () => Tree, id: string): void {
    if (this.#roots.size && !this.without(tree()).some(node => node.id === id)) throw missing('message', id)
  }
}

/** The messages `roots` and all below them. */
export function subtree(tree: Tree, roots: ReadonlySet<string>): Set<string> {
  const inside = new Set(roots)
  for (const { id, parentId } of tree) if (parentId != null && inside.has(parentId)) inside.add(id)
  return inside
}
