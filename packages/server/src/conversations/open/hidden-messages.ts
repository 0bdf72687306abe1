import { type Conversation, type Node, textOf } from 'turnbuckle'
import type { WireHidden } from 'turnbuckle/client'
import { notFound } from '../../base/not-found.ts'
import type { FollowedLog } from './followed-log.ts'
import { subtree, withoutHidden } from './without-hidden.ts'

/** Characters that are told of a hidden message. */
const longestExcerpt = 200

/** The messages that people have hidden, each with all below it. The log keeps them. */
export class HiddenMessages {
  readonly #log: FollowedLog

  constructor(log: FollowedLog) {
    this.#log = log
  }
  get #ids(): ReadonlySet<string> {
    return this.#log.view.facts.hiddenMessages
  }
  get #tree(): Conversation['tree'] {
    return this.#log.head.handle.tree
  }

  /** The tree without hidden messages. */
  get shownTree(): Conversation['tree'] {
    return withoutHidden(this.#tree, this.#ids)
  }
  /** Throws `message.missing` for a hidden message: it may be neither head nor parent. */
  checkShown(id: string): void {
    if (this.#ids.size && !this.shownTree.some(node => node.id === id)) throw notFound('message', id)
  }
  /** Throws `message.missing` for a message that is not hidden. */
  checkHidden(id: string): void {
    if (!this.#ids.has(id)) throw notFound('message', id)
  }
  /** A message that is shown, with the ids of it and all below it. */
  shownAt(id: string): { readonly node: Node; readonly below: ReadonlySet<string> } {
    const nodes = this.shownTree
    const node = nodes.find(one => one.id === id)
    if (!node) throw notFound('message', id)
    return { node, below: subtree(nodes, new Set([id])) }
  }
  /** The user's message that an answer belongs to. */
  questionOf(answerId: string): Node {
    const nodes = new Map(this.shownTree.map(node => [node.id, node]))
    let node = nodes.get(answerId)
    while (node && node.message.role !== 'user') node = nodes.get(node.parentId ?? '')
    if (!node) throw notFound('message', answerId)
    return node
  }
  /** The hidden messages, each with the number of messages that went with it; not those inside another hidden one. */
  list(): WireHidden[] {
    const nodes = this.#tree
    const shown = new Set(this.shownTree.map(({ id }) => id))
    return nodes
      .filter(({ id, parentId }) => this.#ids.has(id) && (parentId == null || shown.has(parentId)))
      .map(({ id, message }) => ({
        messageId: id,
        text: textOf(message).slice(0, longestExcerpt),
        count: subtree(nodes, new Set([id])).size,
      }))
  }
}
