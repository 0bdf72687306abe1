import type { WireNode } from 'turnbuckle/client'
import { countBelow } from '../hide-message.ts'
import { textOf } from './message-parts.ts'
import { childrenOf, type MessageTree, newestLeaf } from './message-tree.ts'
import { plainText } from './plain-text.ts'

/** A branch that goes on below a message. */
export interface BranchBelow {
  readonly id: string
  /** The words that it begins with, without marks of Markdown. */
  readonly words: string
  /** Number of its messages, with those of branches inside it. */
  readonly count: number
  /** The last message of its newest branch. */
  readonly leaf: string
}

const longest = 80

/** The branches that go on below a message, oldest first; none below the end of a branch. */
export const branchesBelow = (nodes: MessageTree, messageId: string | null): BranchBelow[] =>
  (childrenOf(nodes).get(messageId) ?? []).map(({ id }) => ({
    id,
    words: firstWords(nodes, id) || 'No words',
    count: countBelow(nodes, id),
    leaf: newestLeaf(nodes, id),
  }))

/** The text of the first message on the way down that has any. */
function firstWords(nodes: MessageTree, from: string): string {
  let node: WireNode | undefined = nodes.get(from)
  while (node) {
    const words = textOf(node.message).trim()
    // Marks stand in pairs: the text is cut behind them.
    if (words) return plainText(words.slice(0, 2 * longest), node.message.role).slice(0, longest)
    node = childrenOf(nodes).get(node.id)?.at(-1)
  }
  return ''
}
