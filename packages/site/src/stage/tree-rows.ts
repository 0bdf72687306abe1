import type { ConversationState, WireNode } from 'turnbuckle/client'

/** A message of the tree as a row of the drawing: the lane it stands in, and the row and lane of its parent. */
export interface TreeRow {
  readonly node: WireNode
  readonly lane: number
  readonly parent: { readonly row: number; readonly lane: number } | undefined
}

/** Rows in the order in which messages were recorded. The first message behind another stays in its lane; each further one opens a lane. */
export function treeRows({ nodes }: Pick<ConversationState, 'nodes'>): TreeRow[] {
  const rows: TreeRow[] = []
  const places = new Map<string, { row: number; lane: number; children: number }>()
  let lanes = 0
  for (const node of nodes.values()) {
    const parent = node.parentId === null ? undefined : places.get(node.parentId)
    const lane = parent && parent.children++ === 0 ? parent.lane : lanes++
    places.set(node.id, { row: rows.length, lane, children: 0 })
    rows.push({ node, lane, parent: parent && { row: parent.row, lane: parent.lane } })
  }
  return rows
}
