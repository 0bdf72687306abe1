import type { SharedAgent, SharedConversation, WireConversation, WireNode, WireShareLink } from 'turnbuckle/client'
import { keptFileId } from 'turnbuckle/client'

/** The part of a conversation that a read-only link shows; `undefined` where the branch's last message is hidden now. */
export function sharedConversation(
  conversation: WireConversation,
  { what, messageId }: Pick<WireShareLink, 'what' | 'messageId'>,
): SharedConversation | undefined {
  const { head, nodes } = conversation
  if (what === 'tree') return shown(conversation, { what, head, nodes })
  const branch = branchTo(nodes, messageId ?? '')
  return branch.length ? shown(conversation, { what, head: messageId ?? null, nodes: branch }) : undefined
}

function shown(
  { title, calls }: WireConversation,
  { nodes, ...part }: Pick<SharedConversation, 'what' | 'head' | 'nodes'>,
): SharedConversation {
  const agents = agentsOf(calls, nodes)
  return { title, ...part, nodes: nodes.map(withoutCost), ...(agents.length ? { agents } : {}) }
}

/** The sub-agents of calls that messages make. */
function agentsOf(calls: WireConversation['calls'], nodes: readonly WireNode[]): SharedAgent[] {
  const ids = new Set(nodes.map(({ id }) => id))
  return calls.flatMap(({ turnId, callId, messageId, agent }) => {
    if (agent?.conversationId === undefined || messageId === undefined || !ids.has(messageId)) return []
    const { name, conversationId, turnId: agentTurnId } = agent
    return [{ turnId, callId, name, conversationId, ...(agentTurnId === undefined ? {} : { agentTurnId }) }]
  })
}

/**
 * The part of a sub-agent's conversation that a link shows: with a tree all of it, with a branch what it did for the call that the branch
 * made. `undefined` where no message that is shown has called it.
 */
export function sharedAgent(
  caller: SharedConversation,
  conversation: WireConversation,
): SharedConversation | undefined {
  const agent = caller.agents?.find(({ conversationId }) => conversationId === conversation.id)
  if (!agent) return undefined
  if (caller.what === 'tree') return sharedConversation(conversation, { what: 'tree' })
  const end = conversation.nodes.findLast(({ turnId }) => turnId === agent.agentTurnId)
  return end && sharedConversation(conversation, { what: 'branch', messageId: end.id })
}

/** True for a file of a message that is shown. */
export const showsFile = ({ nodes }: SharedConversation, fileId: string): boolean =>
  nodes.some(({ message }) => message.content.some(part => part.type === 'file' && keptFileId(part.data) === fileId))

function branchTo(nodes: readonly WireNode[], messageId: string): WireNode[] {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const branch: WireNode[] = []
  for (let node = byId.get(messageId); node; node = byId.get(node.parentId ?? '')) branch.unshift(node)
  return branch
}

const withoutCost = ({ usage: _usage, cost: _cost, ...node }: WireNode): WireNode => node
