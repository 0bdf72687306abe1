import type { Conversation } from 'turnbuckle'
import { notFound } from '../base/not-found.ts'

type Tree = Conversation['tree']

/** Messages that were hidden, each with all below it. The log keeps them. */
export class HiddenMessages {
  readonly #roots = new Set<string>()

  add(messageId: string): void {
    this.#roots.add(messageId)
  }
  /** The tree without hidden messages. */
  without(tree: Tree): Tree {
    if (!this.#roots.size) return tree
    const hidden = subtree(tree, this.#roots)
    return tree.filter(({ id }) => !hidden.has(id))
  }
  /** Throws `message.missing` for a hidden message: neither head nor parent may be one. */
  check(tree: () => Tree, id: string): void {
    if (this.#roots.size && !this.without(tree()).some(node => node.id === id)) throw notFound('message', id)
  }
}

/** The messages `roots` and all below them. */
export function subtree(tree: Tree, roots: ReadonlySet<string>): Set<string> {
  const inside = new Set(roots)
  for (const { id, parentId } of tree) if (parentId != null && inside.has(parentId)) inside.add(id)
  return inside
}
