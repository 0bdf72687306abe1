import type { Event } from '../../core/events/events.ts'

type AgentNews = Extract<Event, { type: 'agent.event' }>
type Growing = Extract<Event, { type: 'message.delta' } | { type: 'tool.delta' | 'tool.text' }>

/** Text of a reply, of its reasoning, or of a call's arguments, as far as it is written. */
interface GrowingText {
  readonly event: Growing
  text: string
}

/** The most events of sub-agents that are kept for who comes late: the latest. */
const mostOfAgents = 500

/**
 * News of the turns of a conversation that its log does not have: the replies that grow, and sub-agents at work. For whoever comes late, in
 * another process.
 */
export class UnloggedNews {
  /** By message and part. */
  readonly #growing = new Map<string, GrowingText>()
  readonly #agents = new Map<string, { readonly last: AgentNews; readonly inside: UnloggedNews }>()
  #ofAgents: AgentNews[] = []

  /** Takes note of any event of the conversation. */
  hear(event: Event): void {
    if (event.type === 'message.delta' || event.type === 'tool.delta') this.#grow(event)
    else if (event.type === 'message.added' || event.type === 'message.discarded') this.#end(event.messageId)
    else if (event.type === 'agent.event') this.#hearAgent(event)
    else if ('outcome' in event) this.#endTurn(event.turnId)
  }
  #grow(event: Growing): void {
    const key = keyOf(event)
    const known = this.#growing.get(key)
    if (known && event.offset === known.text.length) known.text += event.text
    else if (known) known.text = known.text.slice(0, event.offset) + event.text
    else this.#growing.set(key, { event, text: event.text })
  }
  #end(messageId: string): void {
    for (const [key, { event }] of this.#growing) if (event.messageId === messageId) this.#growing.delete(key)
  }
  #hearAgent(event: AgentNews): void {
    const known = this.#agents.get(event.agentConversationId)
    const inside = known?.inside ?? new UnloggedNews()
    inside.hear(event.event)
    this.#agents.set(event.agentConversationId, { last: event, inside })
    if (innermost(event).seq === undefined) return
    this.#ofAgents.push(event)
    if (this.#ofAgents.length > mostOfAgents) this.#ofAgents.shift()
  }
  #endTurn(turnId: string | undefined): void {
    for (const [key, { event }] of this.#growing) if (event.turnId === turnId) this.#growing.delete(key)
    for (const [id, { last }] of this.#agents) if (last.turnId === turnId) this.#agents.delete(id)
    this.#ofAgents = this.#ofAgents.filter(event => event.turnId !== turnId)
  }

  /** Events of sub-agents so far, then one `message.text` or `tool.text` for each text that grows, theirs too. */
  get soFar(): readonly Event[] {
    return [...this.#ofAgents, ...this.#texts]
  }
  get #texts(): readonly Event[] {
    const own = [...this.#growing.values()].map(({ event, text }): Event => {
      const type = event.type === 'message.delta' ? 'message.text' : 'tool.text'
      return { ...event, type, text, offset: 0 } as Event
    })
    const inside = [...this.#agents.values()].flatMap(({ last, inside: news }) =>
      news.#texts.map(event => ({ ...last, event })),
    )
    return [...own, ...inside]
  }
}

const keyOf = (event: Growing): string =>
  `${event.messageId} ${event.type === 'message.delta' ? (event.reasoning ?? false) : `call ${event.callId}`}`

const innermost = (event: Event): Event => (event.type === 'agent.event' ? innermost(event.event) : event)

/** Appends an event; a delta that goes on where the last one ends becomes one with it. */
export function appendJoined(events: Event[], event: Event): void {
  const last = events.at(-1)
  const joins =
    last &&
    (event.type === 'message.delta' || event.type === 'tool.delta') &&
    event.type === last.type &&
    keyOf(event) === keyOf(last) &&
    last.offset + last.text.length === event.offset
  if (joins) events[events.length - 1] = { ...last, text: last.text + event.text }
  else events.push(event)
}
