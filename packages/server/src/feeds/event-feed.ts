import type { Event } from 'turnbuckle'
import type { ConversationView, WireEvent } from 'turnbuckle/client'
import { growingReplies } from './growing-replies.ts'
import { type FollowedFeed, type Follower, type Pace, PacedFollower } from './paced-follower.ts'
import { growingInside, type NumberedEvent, SubAgentEvents } from './sub-agent-events.ts'

interface Delta {
  readonly turnId: string
  readonly messageId: string
  readonly text: string
  readonly offset: number
  readonly reasoning: boolean
}

export interface EventFeedOptions {
  readonly id: string
  /** Gets every event before the followers do. */
  readonly view: ConversationView
  /** The events that the log had when it was read. */
  readonly log: readonly Event[]
  /** Told of every later event of the log, once and in order, before any follower. */
  readonly onEvent: (event: Event) => void
  /** Reads the log's events after a sequence number. */
  readonly read?: ((after: number) => Promise<readonly Event[]>) | undefined
}

/** The events of one conversation and its followers. Sequence numbers are contiguous, or a `resync` tells of the gap. */
export class EventFeed implements FollowedFeed {
  readonly #id: string
  readonly #view: ConversationView
  readonly #log: Event[]
  readonly #onEvent: (event: Event) => void
  readonly #read: EventFeedOptions['read']
  readonly #inside = new SubAgentEvents()
  readonly followers = new Set<Follower>()
  /** Those of the followers that hear spans too. */
  readonly #spanFollowers = new Set<Follower>()
  /** Events that wait until the gap before them is read from the log. */
  #behindGap: Event[] | undefined

  constructor({ id, view, log, onEvent, read }: EventFeedOptions) {
    this.#id = id
    this.#view = view
    this.#log = [...log]
    this.#onEvent = onEvent
    this.#read = read
    for (const event of log) view.apply(event)
  }

  get seq(): number {
    return this.#log.at(-1)?.seq ?? 0
  }

  /** Takes an event of the log, or, without a sequence number, one that the log does not have. */
  hear(event: Event): void {
    const { seq } = event
    if (seq === undefined) {
      this.#view.applyUnlogged(event)
      this.#inside.hear(event)
      this.tell(event)
    } else if (this.#behindGap) this.#behindGap.push(event)
    else if (seq === this.seq + 1) this.#take(event)
    else if (seq > this.seq) void this.#fillGap(event)
  }
  hearDelta({ reasoning, turnId, messageId, text, offset }: Delta): void {
    const common = { conversationId: this.#id, at: Date.now(), turnId, messageId, text, offset }
    this.hear({ type: 'message.delta', ...common, ...(reasoning ? { reasoning } : {}) })
  }

  /** Another process has written to the log meanwhile: its events come first. */
  async #fillGap(event: Event): Promise<void> {
    const waiting = [event]
    this.#behindGap = waiting
    const missed = (await this.#read?.(this.seq).catch(() => [])) ?? []
    this.#behindGap = undefined
    for (const next of [...missed, ...waiting]) if ((next.seq ?? 0) > this.seq) this.#take(next)
  }
  #take(event: Event): void {
    const before = (event.seq ?? 0) - 1
    const gap = before !== this.seq
    if (gap) this.#log.length = 0
    this.#log.push(event)
    this.#view.apply(event, Date.now())
    this.#inside.hear(event)
    this.#onEvent(event)
    if (gap) this.tell(this.resync(before))
    this.tell(event)
  }
  resync(seq: number): WireEvent {
    return { type: 'resync', conversationId: this.#id, seq, at: Date.now() }
  }

  tell(event: Event | WireEvent): void {
    for (const follower of this.followers) follower(event)
  }

  /** Tells the last event, `conversation.deleted`, and lets all followers go. */
  tellDeleted(): void {
    this.tell({ type: 'conversation.deleted', conversationId: this.#id, at: Date.now() })
    this.followers.clear()
    this.#spanFollowers.clear()
  }

  /** False where nobody would hear a span: a turn has dozens, and none is made into an event for followers that drop it. */
  get hearsSpans(): boolean {
    return this.#spanFollowers.size > 0
  }
  tellSpan(event: WireEvent): void {
    for (const follower of this.#spanFollowers) follower(event)
  }

  /**
   * Tells every event after `after`, and those of sub-agents at work, no faster than they are read; then the text of messages that are
   * being written, then the events that come, with `spans` those of traces too. Returns a function that ends it.
   */
  follow(after: number, follower: Follower, pace: Pace = { past: () => undefined }, spans = false): () => void {
    const paced = new PacedFollower(this, after, follower, pace)
    const hear: Follower = event => paced.hear(event)
    this.followers.add(hear)
    if (spans) this.#spanFollowers.add(hear)
    paced.catchUp()
    return () => {
      paced.leave()
      this.followers.delete(hear)
      this.#spanFollowers.delete(hear)
    }
  }
  get growing(): readonly WireEvent[] {
    const now = Date.now()
    const { live, agents } = this.#view
    return [...growingReplies(live.values(), this.#id, now), ...growingInside(agents, this.#id, now)]
  }
  /** The events of sub-agents at work that are kept for who comes late. */
  get subAgentEvents(): readonly NumberedEvent[] {
    return this.#inside.list
  }
  get isWatched(): boolean {
    return this.followers.size > 0
  }
  /** The log's events after a sequence number. */
  since(after: number): readonly Event[] {
    return this.#log.slice(Math.max(0, after - this.first + 1))
  }
  /** The sequence number of the first event in memory. */
  get first(): number {
    return this.#log[0]?.seq ?? 1
  }

  /**
   * Resolves with true once `test` holds after an event, and with false after `ms`: a log that cannot be written to keeps
   * no caller waiting. `test` is tried again when `also` resolves.
   */
  until(test: () => boolean, ms: number, also?: Promise<unknown>): Promise<boolean> {
    if (test()) return Promise.resolve(true)
    return new Promise(resolve => {
      const end = (met: boolean) => {
        clearTimeout(timer)
        this.followers.delete(check)
        resolve(met)
      }
      const check = () => {
        if (test()) end(true)
      }
      const timer = setTimeout(() => end(false), ms)
      this.followers.add(check)
      void also?.then(check)
    })
  }
}
