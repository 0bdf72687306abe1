import type { Conversation } from 'turnbuckle'
import type { ConversationStore, NodeRow } from 'turnbuckle/stores'
import type { ChatState } from '../transcript/chat-state.ts'

type ShownUsage = Pick<ChatState, 'tokens' | 'cost' | 'isCostPartial' | 'context'>

/** Nodes from the head up among which the last reply is looked for. */
const lastNodes = 20

/** Usage of a conversation that is opened, as the store has it: all it has taken so far, and how long its last prompt was. */
export async function recordedUsage(
  store: Pick<ConversationStore, 'conversation' | 'path' | 'nodes'>,
  { id, head }: Pick<Conversation, 'id' | 'head'>,
): Promise<ShownUsage> {
  const row = head === undefined ? undefined : await store.conversation(id)
  if (!row || head === undefined) return { tokens: 0, cost: 0, isCostPartial: false, context: 0 }
  const { inputTokens, outputTokens, cost } = row.usage
  const nodes = await store.path(id, head, lastNodes)
  // All replies are read only where the last ones had a price.
  const hasPrice = nodes.some(({ usage }) => usage?.cost !== undefined)
  return {
    tokens: inputTokens + outputTokens,
    cost: cost ?? (hasPrice ? sumOfCosts(await store.nodes(id)) : 0),
    isCostPartial: cost === undefined,
    context: nodes.findLast(({ usage }) => usage)?.usage?.inputTokens ?? 0,
  }
}

/** What is known of a sum that the store does not have, as a reply was cut off or a model has no price. */
const sumOfCosts = (nodes: readonly NodeRow[]): number => nodes.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0)

/** The same without what a turn has told that is resumed: it tells its usage again. */
export function withoutTold(shown: ShownUsage, told: ReturnType<Conversation['told']>): ShownUsage {
  const usages = told.flatMap(event => (event.type === 'usage' ? [event] : []))
  return {
    ...shown,
    tokens: usages.reduce((left, { inputTokens, outputTokens }) => left - inputTokens - outputTokens, shown.tokens),
    cost: Math.max(
      0,
      usages.reduce((left, { cost = 0 }) => left - cost, shown.cost),
    ),
  }
}

/** How long the last prompt of the branch was that ends at the head; 0 where none is known. */
export function branchContext({ messages, tree }: Pick<Conversation, 'messages' | 'tree'>): number {
  const onBranch = new Set(messages.map(({ id }) => id))
  return tree.findLast(({ id, usage }) => usage && onBranch.has(id))?.usage?.inputTokens ?? 0
}
