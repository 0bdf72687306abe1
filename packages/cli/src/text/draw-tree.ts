import type { Message } from 'turnbuckle'
import { messageLine } from './message-text.ts'

/** A message and its parent. */
export interface BranchNode {
  readonly id: string
  readonly parentId: string | undefined
  readonly message: Message
}

export interface TreeLine {
  readonly id: string
  /** `│ ├─ You: hello` */
  readonly text: string
  /** On the path to the head. */
  readonly onPath: boolean
  readonly isHead: boolean
}

interface Level {
  readonly list: readonly BranchNode[]
  readonly indent: string
  at: number
}

/** Draws a tree of messages. A straight line stays straight; only a fork indents. */
export function drawTree(nodes: readonly BranchNode[], head: string | undefined, width = 100): readonly TreeLine[] {
  const children = childrenOf(nodes)
  const path = pathTo(nodes, head)
  const lines: TreeLine[] = []
  const open: Level[] = [{ list: children.get(undefined) ?? [], indent: '', at: 0 }]
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const node = level.list[level.at++]
    if (!node) {
      open.pop()
      continue
    }
    const [stem, below] = stems(level)
    const text = level.indent + stem + messageLine(node.message, width - level.indent.length - stem.length - 2)
    lines.push({ id: node.id, text, onPath: path.has(node.id), isHead: node.id === head })
    open.push({ list: children.get(node.id) ?? [], indent: level.indent + below, at: 0 })
  }
  return lines
}

/** Branch drawing before a message, and before the messages below it. */
function stems({ list, at }: Level): readonly [stem: string, below: string] {
  if (list.length === 1) return ['', '']
  return at === list.length ? ['└─ ', '   '] : ['├─ ', '│  ']
}

/** A message whose parent is missing is shown as a root, not left out. */
function childrenOf(nodes: readonly BranchNode[]): ReadonlyMap<string | undefined, readonly BranchNode[]> {
  const children = new Map<string | undefined, BranchNode[]>()
  const known = new Set(nodes.map(({ id }) => id))
  for (const node of nodes) {
    const parent = node.parentId !== undefined && known.has(node.parentId) ? node.parentId : undefined
    const list = children.get(parent)
    if (list) list.push(node)
    else children.set(parent, [node])
  }
  return children
}

function pathTo(nodes: readonly BranchNode[], head: string | undefined): ReadonlySet<string> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const path = new Set<string>()
  for (let id = head; id !== undefined && !path.has(id); id = byId.get(id)?.parentId) path.add(id)
  return path
}
