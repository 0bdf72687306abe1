import type { ConversationRow, ConversationStore, NodeRow } from 'turnbuckle/stores'

/** What is known of the cost of a conversation. */
export interface KnownCost {
  readonly cost: number
  /** True where a reply was cut off or a model has no price: the cost is a lower bound. */
  readonly isCostPartial: boolean
}

/** Nodes from the head up among which a price is looked for. */
export const lastNodes = 20

/** The cost of a conversation, as the store has it. Of one that a part is not known of, the store has no sum: all replies are read, but only where the last ones had a price. */
export async function knownCost(
  store: Pick<ConversationStore, 'path' | 'nodes'>,
  { id, head, usage: { cost } }: Pick<ConversationRow, 'id' | 'head' | 'usage'>,
  last?: readonly NodeRow[],
): Promise<KnownCost> {
  if (cost !== undefined) return { cost, isCostPartial: false }
  const nodes = last ?? (head === undefined ? [] : await store.path(id, head, lastNodes))
  const hasPrice = nodes.some(({ usage }) => usage?.cost !== undefined)
  return { cost: hasPrice ? sumOfCosts(await store.nodes(id)) : 0, isCostPartial: true }
}

const sumOfCosts = (nodes: readonly NodeRow[]): number => nodes.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0)
