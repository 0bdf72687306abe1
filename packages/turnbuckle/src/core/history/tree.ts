import { deepFreeze } from '../base/deep-freeze.ts'
import type { Message } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'

/** A message in the tree. `parentId` is undefined for a root. */
export interface Node {
  /** The id of the message. */
  readonly id: string
  /** The message before it; the first message of a branch has none. */
  readonly parentId: string | undefined
  /** The message itself. */
  readonly message: Message
  /** The turn that recorded the message, if one did. */
  readonly turnId: string | undefined
  /** When the message was recorded, in milliseconds since 1970. */
  readonly createdAt: number
  /** The tokens of the model call that wrote the message. */
  readonly usage?: Usage | undefined
  /** The cost of the model call, where that is known. */
  readonly cost?: number | undefined
}

/** The scope of a middleware's state: `branch` goes with the tip and is rewound with it, `conversation` never is. */
export type StateScope = 'turn' | 'branch' | 'conversation'

/** The branch-scoped states of all middleware, by name. Replaced, never changed. */
export type BranchState = Readonly<Record<string, unknown>>

/**
 * A stretch of history without a fork inside it. A path is a chain of segments, so that appending, forking and going
 * back are constant in the length of the history, and reading a path is a copy of arrays, not a walk over parents.
 */
class Segment {
  /** The number of messages on the path before this segment. */
  readonly base: number
  readonly nodes: TreeNode[] = []
  readonly messages: Message[] = []
  /** The number of leading messages that were shown to a hook, tool or caller, and so are sealed. */
  sealed = 0
  #prefix: TreeNode | (() => TreeNode | undefined) | undefined

  constructor(prefix: TreeNode | (() => TreeNode | undefined) | undefined, base: number) {
    this.#prefix = prefix
    this.base = base
  }

  /** The node before the segment; read from the store on first use. */
  get prefix(): TreeNode | undefined {
    if (typeof this.#prefix === 'function') this.#prefix = this.#prefix()
    return this.#prefix
  }
}

/** A message that was recorded before. */
export interface Recorded {
  readonly message: Message
  readonly turnId: string | undefined
  readonly createdAt: number
  readonly usage: Usage | undefined
  readonly state: BranchState | undefined
  readonly hidden: boolean
}

export class TreeNode implements Node {
  readonly id: string
  readonly message: Message
  readonly turnId: string | undefined
  createdAt: number
  readonly segment: Segment
  readonly index: number
  usage: Usage | undefined = undefined
  /** The branch state as of when a turn left this node. */
  state: BranchState
  /** A person has hidden the message, with all that follows it. */
  hidden = false

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
  /** The number of messages on the path to this node, itself included. */
  get depth(): number {
    return this.segment.base + this.index + 1
  }
}

export const emptyState: BranchState = Object.freeze({})

export class Tree {
  /** All nodes in memory, in the order they were recorded. */
  readonly nodes: TreeNode[] = []
  /** The ids of all calls on all branches: a provider that counts from one in each turn would give two calls one id. */
  readonly callIds: Set<string> = new Set()
  /** Reads a message that is not in memory. */
  source: ((id: string) => TreeNode | undefined) | undefined
  /** Throws for a message that is not in memory, where the store cannot answer synchronously. */
  unread: ((id: string) => never) | undefined
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
    if (!segment || parent?.index !== segment.nodes.length - 1) segment = new Segment(parent, parent?.depth ?? 0)
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
    return this.#byId.get(id) ?? this.source?.(id)
  }
  has(id: string): boolean {
    return this.#inMemory(id) !== undefined
  }
  #inMemory(id: string): TreeNode | undefined {
    const { source } = this
    this.source = undefined
    const found = this.find(id)
    this.source = source
    return found
  }
  /** Gives a message the time that the log has of it: another process reads the same. */
  stamp(id: string, at: number): void {
    const node = this.#inMemory(id)
    if (node) node.createdAt = at
  }

  /**
   * The place for a message with this id: its node, where that one may be used again, else the id or the first `id~n` that
   * no message has. The same whatever part of the tree is in memory.
   */
  place(id: string, again?: (node: TreeNode) => boolean): TreeNode | string {
    let free = id
    for (let n = 1; ; n++) {
      const node = this.find(free) ?? this.unread?.(free)
      if (!node) return free
      if (again?.(node)) return node
      free = `${id}~${n}`
    }
  }

  /** Sorts the nodes into recorded order, given as `ids`; nodes that `ids` lacks are newer, and stay last. */
  arrange(ids: readonly string[]): void {
    const places = new Map(ids.map((id, i) => [id, i]))
    const place = ({ id }: TreeNode) => places.get(id) ?? ids.length
    this.nodes.sort((a, b) => place(a) - place(b))
    this.#indexed = 0
  }

  /** Puts back a message that was recorded before. */
  restore(parent: TreeNode | undefined, recorded: Recorded): TreeNode {
    const { message, turnId, createdAt, usage, state, hidden } = recorded
    const node = this.add(parent, message, turnId, createdAt, state ?? {})
    node.usage = usage
    node.hidden = hidden
    return node
  }

  /** Puts back a stretch of a path, of which nothing before it is in memory. */
  graft(stretch: readonly Recorded[], base: number, before: string | undefined): TreeNode | undefined {
    const segment = new Segment(
      before === undefined ? undefined : () => this.find(before) ?? this.unread?.(before),
      base,
    )
    let tip: TreeNode | undefined
    for (const { message, turnId, createdAt, usage, state, hidden } of stretch) {
      tip = new TreeNode(segment, message, turnId, createdAt, state ?? {})
      tip.usage = usage
      tip.hidden = hidden
      segment.nodes.push(tip)
      segment.messages.push(message)
      this.nodes.push(tip)
      for (const part of message.content) if (part.type === 'call') this.callIds.add(part.id)
    }
    return tip
  }
}

/** The messages from the root to `tip`, in a new array. */
export function pathOf(tip: TreeNode | undefined): Message[] {
  if (!tip) return []
  const own = tip.segment.messages.slice(0, tip.index + 1)
  return tip.segment.prefix ? pathOf(tip.segment.prefix).concat(own) : own
}

/** The path for hooks, tools and callers: its messages are sealed, so that none changes a recorded message in place. */
export function shownPath(tip: TreeNode | undefined): Message[] {
  for (let node = tip; node; node = node.segment.prefix) {
    const { segment, index } = node
    for (; segment.sealed <= index; segment.sealed++) seal(segment.messages[segment.sealed] as Message)
  }
  return pathOf(tip)
}

/** A node for hooks and callers, without its place in the tree. */
export const shownNode = ({ id, parentId, message, turnId, usage, cost, createdAt }: TreeNode): Node => ({
  id,
  parentId,
  message,
  turnId,
  createdAt,
  ...(usage ? { usage } : {}),
  ...(cost === undefined ? {} : { cost }),
})

/** Freezes a message, its parts and the arguments of its calls. Result values stay unfrozen: they belong to the tool that made them. */
export function seal(message: Message): Message {
  for (const part of message.content) {
    if (part.type === 'call') deepFreeze(part.args)
    Object.freeze(part)
  }
  Object.freeze(message.content)
  return Object.freeze(message)
}

/** The node at a position of the path to `tip`. */
export function nodeAt(tip: TreeNode | undefined, position: number): TreeNode | undefined {
  let node = tip
  while (node && position < node.segment.base) node = node.segment.prefix
  const found = node?.segment.nodes[position - node.segment.base]
  return found && tip && found.depth <= tip.depth ? found : undefined
}

/** True where `node` lies on the path to `tip`. */
export const isOnPath = (node: TreeNode, tip: TreeNode | undefined): boolean => nodeAt(tip, node.depth - 1) === node
