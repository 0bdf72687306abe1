import type { Conversation } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { knownCost, lastNodes } from '../../store/known-cost.ts'
import type { ChatState } from '../transcript/chat-state.ts'

type ShownUsage = Pick<ChatState, 'tokens' | 'cost' | 'isCostPartial' | 'context'>

/** Usage of a conversation that is opened, as the store has it: all it has taken so far, and how long its last prompt was. */
export async function recordedUsage(
  store: Pick<ConversationStore, 'conversation' | 'path' | 'nodes'>,
  { id, head }: Pick<Conversation, 'id' | 'head'>,
): Promise<ShownUsage> {
  const row = head === undefined ? undefined : await store.conversation(id)
  if (!row || head === undefined) return { tokens: 0, cost: 0, isCostPartial: false, context: 0 }
  const { inputTokens, outputTokens } = row.usage
  const nodes = await store.path(id, head, lastNodes)
  return {
    tokens: inputTokens + outputTokens,
    ...(await knownCost(store, row, nodes)),
    context: nodes.findLast(({ usage }) => usage)?.usage?.inputTokens ?? 0,
  }
}

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
