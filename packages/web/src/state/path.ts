import type { Attachment, Call, ConversationState, Message, ResultPart, Usage, WireNode } from 'turnbuckle/client'

type Nodes = ReadonlyMap<string, WireNode>

/** From the root to `head`. A missing parent leaves a gap, which the first node shows. */
export function pathTo(nodes: Nodes, head: string | null): WireNode[] {
  const path: WireNode[] = []
  for (
    let node = head === null ? undefined : nodes.get(head);
    node;
    node = node.parentId === null ? undefined : nodes.get(node.parentId)
  )
    path.push(node)
  return path.reverse()
}

const children = new WeakMap<Nodes, Map<string | null, WireNode[]>>()

/** By parent, in the order they came. Worked out once for each state. */
export function childrenOf(nodes: Nodes): Map<string | null, WireNode[]> {
  const known = children.get(nodes)
  if (known) return known
  const map = new Map<string | null, WireNode[]>()
  for (const node of nodes.values()) {
    const siblings = map.get(node.parentId)
    if (siblings) siblings.push(node)
    else map.set(node.parentId, [node])
  }
  children.set(nodes, map)
  return map
}

export const siblingsOf = (nodes: Nodes, node: WireNode): readonly WireNode[] =>
  childrenOf(nodes).get(node.parentId) ?? [node]

/** The end of the newest branch below a node. */
export function newestLeaf(nodes: Nodes, from: string): string {
  const map = childrenOf(nodes)
  let id = from
  for (let next = map.get(id)?.at(-1); next; next = map.get(id)?.at(-1)) id = next.id
  return id
}

export const textOf = (message: Message): string => {
  let text = ''
  for (const part of message.content) if (part.type === 'text') text += part.text
  return text
}
export const callsOf = (message: Message): Call[] => message.content.filter(part => part.type === 'call')

/** The files of a message, to be sent once more. */
export const attachmentsOf = (message: Message): Attachment[] =>
  message.content
    .filter(part => part.type === 'file')
    .map(({ mediaType, data, name }) => ({ mediaType, data: String(data), ...(name ? { name } : {}) }))

/** The results on a path by `turn/call`. */
export function resultsOn(path: readonly WireNode[]): Map<string, ResultPart> {
  const results = new Map<string, ResultPart>()
  for (const { turnId, message } of path)
    for (const part of message.content) if (part.type === 'result') results.set(`${turnId ?? ''}/${part.id}`, part)
  return results
}

/** What is on a path. It has a cost where each of the model's messages has one: a part of it would look like the whole. */
export function usageOn(path: readonly WireNode[]): Usage {
  let [inputTokens, outputTokens, cost] = [0, 0, 0]
  for (const { usage, message } of path) {
    inputTokens += usage?.inputTokens ?? 0
    outputTokens += usage?.outputTokens ?? 0
    if (message.role === 'assistant') cost += usage?.cost ?? Number.NaN
  }
  return Number.isNaN(cost) ? { inputTokens, outputTokens } : { inputTokens, outputTokens, cost }
}

/** The turn that runs where the person looks. */
export const runningTurn = ({ headTurn, tips }: ConversationState): string | undefined =>
  headTurn !== undefined && tips.has(headTurn) ? headTurn : undefined
