import type { WireEvent } from 'turnbuckle/client'
import { type SubAgentEvent, unloggedOf } from '../../feeds/sub-agent-events.ts'
import type { OpenConversation } from './open-conversation.ts'

type Open = ReadonlyMap<string, Pick<OpenConversation, 'id' | 'log'>>

/** Tells followers of a sub-agent's own conversation what its caller hears of it: text that grows is in no log. */
export function tellSubAgent(open: Open, { agentConversationId, event }: SubAgentEvent): void {
  const log = open.get(agentConversationId)?.log
  log?.feed.hear(event)
  // Its handle is not the one that the sub-agent writes with: the next caller reads the tree anew.
  if (event.seq !== undefined) log?.happen('fellBehind')
  if (event.type === 'agent.event') tellSubAgent(open, event)
}

/** What an open caller has heard of the sub-agent whose conversation this is, and its log does not have. */
export function subAgentNews(open: Open, id: string): readonly WireEvent[] {
  const nodes = open.get(id)?.log.view.state.nodes
  for (const { log } of open.values()) {
    const events = log.feed.subAgentEvents.map(({ event }) => event)
    const heard = unloggedOf({ events, agents: log.view.agents }, id, Date.now())
    // The log may have the whole message by now.
    if (heard) return heard.filter(event => !('messageId' in event && nodes?.has(event.messageId)))
  }
  return []
}
