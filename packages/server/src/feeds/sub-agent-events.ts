import type { Event } from 'turnbuckle'
import type { SubAgentState, WireEvent } from 'turnbuckle/client'
import { growingReplies } from './growing-replies.ts'

/** An event of a sub-agent, as whoever follows its caller hears it. */
export type SubAgentEvent = Extract<Event, { type: 'agent.event' }>

/** An event of a sub-agent, with its number among all that were kept. */
export interface NumberedEvent {
  readonly number: number
  readonly event: SubAgentEvent
}

/** The most events of sub-agents that are kept for who comes late: the latest. */
const most = 2000

/**
 * Events of sub-agents at work. The caller's log does not have them, so that they are kept here, until the turn they work for ends, for
 * followers that come late.
 */
export class SubAgentEvents {
  #kept: NumberedEvent[] = []
  #count = 0

  /** Those that are kept, in order. The number of one that is not kept any more does not come again. */
  get list(): readonly NumberedEvent[] {
    return this.#kept
  }
  /** Takes note of an event of the conversation. */
  hear(event: Event): void {
    if (event.type === 'agent.event') this.#keep(event)
    else if ('outcome' in event) this.#forget(event.turnId)
  }
  /** Deltas, which have no number anywhere, are not kept: `growingInside` gives them in one piece. */
  #keep(event: SubAgentEvent): void {
    if (innermost(event).seq === undefined) return
    this.#count++
    this.#kept.push({ number: this.#count, event })
    if (this.#kept.length > most) this.#kept.shift()
  }
  #forget(turnId: string | undefined): void {
    this.#kept = this.#kept.filter(({ event }) => event.turnId !== turnId)
  }
}

function innermost(event: Event): Event {
  return event.type === 'agent.event' ? innermost(event.event) : event
}

/** The messages that sub-agents are writing, as `growingReplies` tells those of the conversation itself. */
export function growingInside(
  agents: ReadonlyMap<string, SubAgentState>,
  conversationId: string,
  at: number,
): WireEvent[] {
  return [...agents].flatMap(([id, { agent, turnId, callId, state }]) => {
    const inside = [...growingReplies(state.live.values(), id, at), ...growingInside(state.agents, id, at)]
    const common = { type: 'agent.event' as const, conversationId, at, turnId, callId, agent, agentConversationId: id }
    return inside.map(event => ({ ...common, event: event as Event }))
  })
}

/**
 * What whoever follows a caller has heard of one of its sub-agents, its own included, and the log of that sub-agent does not have: the
 * work of its sub-agents, and the texts that grow.
 */
export function unloggedOf(
  {
    events,
    agents,
  }: { readonly events: readonly SubAgentEvent[]; readonly agents: ReadonlyMap<string, SubAgentState> },
  id: string,
  at: number,
): WireEvent[] | undefined {
  const known = agents.get(id)
  const inside = (of: string) =>
    events.flatMap(({ agentConversationId, event }) =>
      agentConversationId === of && event.type === 'agent.event' ? [event] : [],
    )
  if (known) {
    const { live, agents: below } = known.state
    return [...inside(id), ...growingReplies(live.values(), id, at), ...growingInside(below, id, at)]
  }
  for (const [between, { state }] of agents) {
    const found = unloggedOf({ events: inside(between), agents: state.agents }, id, at)
    if (found) return found
  }
  return undefined
}
