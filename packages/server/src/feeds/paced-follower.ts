import type { Event } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import type { NumberedEvent } from './sub-agent-events.ts'

/** Is told the events of a conversation. */
export type Follower = (event: Event | WireEvent) => void

/** How fast a reader is told events. A promise makes its feed wait until the reader can take more. */
export interface Pace {
  /** Asked before each event of the log's past. */
  past(): Promise<void> | undefined
  /** Asked before each event that comes; without it none waits. */
  live?(): Promise<void> | undefined
}

/** The feed of one conversation, as far as a follower reads it. */
export interface FollowedFeed {
  readonly seq: number
  /** The sequence number of the first event in memory. */
  readonly first: number
  since(after: number): readonly Event[]
  /** Events of sub-agents at work, which the log does not have. */
  readonly subAgentEvents: readonly NumberedEvent[]
  /** Texts that are being written, each in one piece. */
  readonly growing: readonly WireEvent[]
  resync(seq: number): WireEvent
}

/**
 * One follower of a feed: is told the log's past no faster than it reads, then texts that are being written, then the events that come. One
 * that reads more slowly than they come is told from the log again: deltas that it has missed come in one piece.
 */
export class PacedFollower {
  readonly #feed: FollowedFeed
  readonly #follower: Follower
  readonly #pace: Pace
  /** The numbers of the last event of the log, and of sub-agents, that it was told. */
  #told: number
  #toldInside = 0
  /** Ends of turns and refusals of the log that came meanwhile, and that the log does not have. */
  #unlogged: (Event | WireEvent)[] = []
  #state: 'catchingUp' | 'live' | 'left' = 'catchingUp'

  constructor(feed: FollowedFeed, after: number, follower: Follower, pace: Pace) {
    this.#feed = feed
    this.#told = after
    this.#follower = follower
    this.#pace = pace
  }

  /** Tells every event of the log after the last that was told. One of a sequence number that this log does not have is of another log. */
  catchUp(): void {
    const feed = this.#feed
    if (this.#told > feed.seq || this.#told < feed.first - 1) this.#tell(feed.resync(feed.seq))
    const logged = feed.since(this.#told).map(event => ({ event, number: undefined }))
    const inside = feed.subAgentEvents.filter(({ number }) => number > this.#toldInside)
    for (const { event, number } of [...logged, ...inside]) {
      if (this.#waits(this.#pace.past())) return
      this.#tell(event)
      this.#toldInside = number ?? this.#toldInside
    }
    if (this.#waits(this.#pace.past())) return
    for (const event of [...this.#unlogged.splice(0), ...feed.growing]) this.#tell(event)
    if (this.#state === 'catchingUp') this.#state = 'live'
  }
  /** True where it has left, or goes on catching up later. */
  #waits(wait: Promise<void> | undefined): boolean {
    void wait?.then(() => {
      if (this.#state === 'catchingUp') this.catchUp()
    })
    return wait !== undefined || this.#state === 'left'
  }

  /** An event has come. One of the log that is not told now is told from there. */
  hear(event: Event | WireEvent): void {
    if (event.type === 'conversation.deleted') {
      this.#tell(event)
      this.leave()
    } else if (this.#state === 'live') this.#hearLive(event)
    else if (isUnloggedEnd(event) || event.type === 'log.refused') this.#unlogged.push(event)
    else if (isLogged(event)) this.#dropEnd(event)
  }
  /** A turn that the log has more of goes on: its end would be told behind that. */
  #dropEnd(event: Event | WireEvent): void {
    this.#unlogged = this.#unlogged.filter(one => !isUnloggedEnd(one) || turnOf(one) !== turnOf(event))
  }
  #hearLive(event: Event | WireEvent): void {
    const wait = this.#pace.live?.()
    if (!wait) {
      this.#tell(event)
      const inside = this.#feed.subAgentEvents.at(-1)
      if (event === inside?.event) this.#toldInside = inside.number
      return
    }
    this.#state = 'catchingUp'
    this.hear(event)
    this.#waits(wait)
  }
  #tell(event: Event | WireEvent): void {
    if (this.#state === 'left') return
    if ('seq' in event && event.seq !== undefined) this.#told = event.seq
    this.#follower(event)
  }
  leave(): void {
    this.#state = 'left'
  }
}

const isLogged = (event: Event | WireEvent): boolean => 'seq' in event && event.seq !== undefined
const isUnloggedEnd = (event: Event | WireEvent): boolean => 'outcome' in event && !isLogged(event)
const turnOf = (event: Event | WireEvent): string | undefined => ('turnId' in event ? event.turnId : undefined)
