import type { Node } from 'turnbuckle'
import type { WireNode } from 'turnbuckle/client'

/** A message of the tree as the wire has it. */
export const wireNode = ({ id, parentId, turnId, message, usage, cost, createdAt }: Node): WireNode => ({
  id,
  parentId: parentId ?? null,
  turnId: turnId ?? null,
  message,
  createdAt,
  ...(usage ? { usage } : {}),
  ...(cost === undefined ? {} : { cost }),
})
