import type { Event } from 'turnbuckle'
import type { ConversationView, LiveMessage } from 'turnbuckle/client'
import type { LiveNews, SharedTurns } from 'turnbuckle/stores'

type Growing = Extract<Event, { type: 'message.delta' | 'message.text' } | { type: 'tool.delta' | 'tool.text' }>
type AgentNews = Extract<Event, { type: 'agent.event' }>

export interface LiveElsewhereOptions {
  readonly id: string
  readonly shared: SharedTurns
  readonly view: ConversationView
  /** True while somebody follows here, and a turn runs in another process. */
  readonly isWanted: () => boolean
  /** Takes in the log's events, at least up to a sequence number. */
  readonly readTo: (seq: number) => Promise<void>
  readonly hear: (event: Event) => void
}

/**
 * The news without a number that other processes tell of a conversation's turns: replies that grow, and sub-agents at work. They come
 * behind the log's events that they belong to, in order, without a gap and once.
 */
export class LiveElsewhere {
  readonly #options: LiveElsewhereOptions
  #stop: (() => void) | undefined
  /** News is taken one by one: some waits for the log. */
  #taking: Promise<void> = Promise.resolve()
  /** The last number that was heard of each sub-agent's conversation. */
  readonly #agentSeqs = new Map<string, number>()

  constructor(options: LiveElsewhereOptions) {
    this.#options = options
  }

  /** Follows, or stops: to be called whenever what is wanted may have changed. */
  adjust(): void {
    const { id, shared, isWanted } = this.#options
    const wanted = isWanted()
    if (wanted && !this.#stop) this.#stop = shared.follow(id, news => this.#queue(news))
    if (wanted || !this.#stop) return
    this.#stop()
    this.#stop = undefined
    this.#agentSeqs.clear()
  }
  #queue(news: LiveNews): void {
    this.#taking = this.#taking.then(() => this.#take(news)).catch(() => {})
  }
  async #take({ after, events }: LiveNews): Promise<void> {
    await this.#options.readTo(after)
    if (!this.#stop) return
    for (const event of events) this.#hear(event)
  }
  #hear(event: Event): void {
    if (event.type === 'agent.event') this.#hearAgent(event)
    else if (isGrowing(event)) this.#grow(event)
    else this.#options.hear(event)
  }
  /** Who follows anew is told all once more. */
  #hearAgent(event: AgentNews): void {
    const { conversationId, seq } = innermost(event)
    if (seq !== undefined && seq <= (this.#agentSeqs.get(conversationId) ?? 0)) return
    if (seq !== undefined) this.#agentSeqs.set(conversationId, seq)
    if (this.#options.view.turn(event.turnId ?? '')?.status === 'running') this.#options.hear(event)
  }
  /** Text of a message that the log has, or has withdrawn, comes too late. Where a piece is missing all is asked for again. */
  #grow(event: Growing): void {
    const { view, shared, id, hear } = this.#options
    const live = view.live.get(event.messageId)
    if (!live) return
    const known = partOf(live, event)
    const { offset, text } = event
    if (event.type === 'message.text' || event.type === 'tool.text') {
      if (text !== known) hear(event)
    } else if (offset > known.length) shared.again(id)
    else if (offset === known.length) hear(event)
    else if (offset + text.length > known.length)
      hear({ ...event, text: text.slice(known.length - offset), offset: known.length })
  }
}

const isGrowing = (event: Event): event is Growing => /^(message|tool)\.(delta|text)$/.test(event.type)

function partOf({ text, reasoning, calls }: LiveMessage, event: Growing): string {
  if ('callId' in event) return calls.find(({ id }) => id === event.callId)?.text ?? ''
  return event.reasoning ? reasoning : text
}

const innermost = (event: Event): Event => (event.type === 'agent.event' ? innermost(event.event) : event)
