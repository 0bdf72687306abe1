import type { Message } from './message.ts'
import type { Usage } from './ports.ts'

/** One message in the tree. `parentId` is undefined for a root. */
export interface Node {
  readonly id: string
  readonly parentId: string | undefined
  readonly message: Message
  readonly turnId: string | undefined
  readonly createdAt: number
  readonly usage?: Usage | undefined
  readonly cost?: number | undefined
}

/** The branch-scoped states of all middleware, by name. Replaced, never changed. */
export type BranchState = Readonly<Record<string, unknown>>

/**
 * A stretch of history without a fork inside it. A path is a chain of segments, so that appending, forking and going
 * back are constant in the length of the history, and reading a path is a copy of arrays, not a walk over parents.
 */
interface Segment {
  readonly prefix: TreeNode | undefined
  /** How many messages lie before this segment. */
  readonly base: number
  readonly nodes: TreeNode[]
  readonly messages: Message[]
}

export class TreeNode implements Node {
  readonly id: string
  readonly message: Message
  readonly turnId: string | undefined
  readonly createdAt: number
  readonly segment: Segment
  readonly index: number
  usage: Usage | undefined = undefined
  /** The branch state as of when a turn left this node. */
  state: BranchState

  constructor(segment: Segment, message: Message, turnId: string | undefined, createdAt: number, state: BranchState) {
    this.id = message.id
    this.message = message
    this.turnId = turnId
    this.createdAt = createdAt
    this.segment = segment
    this.index = segment.nodes.length
    this.state = state
  }

  get parent(): TreeNode | undefined {
    return this.index ? this.segment.nodes[this.index - 1] : this.segment.prefix
  }
  get parentId(): string | undefined {
    return this.parent?.id
  }
  get cost(): number | undefined {
    return this.usage?.cost
  }
  /** How many messages the path to here has. */
  get depth(): number {
    return this.segment.base + this.index + 1
  }
}

const emptyState: BranchState = Object.freeze({})

export class Tree {
  /** In the order they came. */
  readonly nodes: TreeNode[] = []
  /** Of every call on every branch: a provider that counts from one in each turn would have two results for one call. */
  readonly callIds: Set<string> = new Set()
  #byId: Map<string, TreeNode> | undefined
  #indexed = 0

  add(
    parent: TreeNode | undefined,
    message: Message,
    turnId: string | undefined,
    at: number,
    state?: BranchState,
  ): TreeNode {
    let segment = parent?.segment
    if (!segment || parent?.index !== segment.nodes.length - 1)
      segment = { prefix: parent, base: parent?.depth ?? 0, nodes: [], messages: [] }
    const node = new TreeNode(segment, message, turnId, at, state ?? parent?.state ?? emptyState)
    segment.nodes.push(node)
    segment.messages.push(message)
    if (message.role === 'assistant')
      for (const part of message.content) if (part.type === 'call') this.callIds.add(part.id)
    this.nodes.push(node)
    return node
  }

  find(id: string): TreeNode | undefined {
    this.#byId ??= new Map()
    for (; this.#indexed < this.nodes.length; this.#indexed++) {
      const node = this.nodes[this.#indexed] as TreeNode
      this.#byId.set(node.id, node)
    }
    return this.#byId.get(id)
  }
}

/** The messages from the root to `tip`, in a new array. */
export function pathOf(tip: TreeNode | undefined): Message[] {
  if (!tip) return []
  const own = tip.segment.messages.slice(0, tip.index + 1)
  return tip.segment.prefix ? pathOf(tip.segment.prefix).concat(own) : own
}

/** The node at a position of the path to `tip`. */
export function nodeAt(tip: TreeNode | undefined, position: number): TreeNode | undefined {
  let node = tip
  while (node && position < node.segment.base) node = node.segment.prefix
  const found = node?.segment.nodes[position - node.segment.base]
  return found && tip && found.depth <= tip.depth ? found : undefined
}

/** Whether `node` lies on the path to `tip`. */
export const isOnPath = (node: TreeNode, tip: TreeNode | undefined): boolean => nodeAt(tip, node.depth - 1) === node
