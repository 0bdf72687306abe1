import type { Event } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'
import { GrowingReplies } from './growing-replies.ts'

/** Someone who follows a conversation. */
export type Follower = (event: Event | WireEvent) => void

/** How a reader says that it has enough for now: what it gives resolves when it can take more. */
export type Pace = () => Promise<void> | undefined

interface Delta {
  readonly turnId: string
  readonly messageId: string
  readonly text: string
  readonly offset: number
  readonly reasoning: boolean
}

export interface EventFeedOptions {
  readonly id: string
  /** What was recorded before this process. */
  readonly log: readonly Event[]
  /** Told of every later event of the log, once and in order, before any follower. */
  readonly onEvent: (event: Event) => void
  /** Reads the log from after a number on. */
  readonly read?: ((after: number) => Promise<readonly Event[]>) | undefined
}

/** The events of one conversation and who follows them. What is told is contiguous, or a `resync` says where it is not. */
export class EventFeed {
  readonly #id: string
  readonly #log: Event[]
  readonly #onEvent: (event: Event) => void
  readonly #read: EventFeedOptions['read']
  #live = new GrowingReplies()
  readonly followers = new Set<Follower>()
  /** Who is being told what was before they came. */
  #arriving = 0
  /** What came while a gap before it is being filled. */
  #behindGap: Event[] | undefined

  constructor({ id, log, onEvent, read }: EventFeedOptions) {
    this.#id = id
    this.#log = [...log]
    this.#onEvent = onEvent
    this.#read = read
  }

  get seq(): number {
    return this.#log.at(-1)?.seq ?? 0
  }

  /** An event of the log, or, without a number, news that the log does not have. */
  hear(event: Event): void {
    const { seq } = event
    if (seq === undefined) {
      if (event.type === 'tool.delta') this.#live.addCall(event)
      else this.#live.settle(event)
      this.tell(event)
    } else if (this.#behindGap) this.#behindGap.push(event)
    else if (seq === this.seq + 1) this.#take(event)
    else if (seq > this.seq) void this.#fill(event)
  }
  hearDelta({ reasoning, ...delta }: Delta): void {
    this.#live.add({ ...delta, reasoning })
    const { turnId, messageId, text, offset } = delta
    const common = { conversationId: this.#id, at: Date.now(), turnId, messageId, text, offset }
    this.tell({ type: 'message.delta', ...common, ...(reasoning ? { reasoning } : {}) })
  }

  /** Drops the text of messages that were being written: they are written again from the beginning. */
  forgetGrowingReplies(): void {
    this.#live = new GrowingReplies()
  }

  /** Another process has written to the log meanwhile: what it wrote comes first. */
  async #fill(event: Event): Promise<void> {
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
    this.#live.settle(event)
    this.#onEvent(event)
    if (gap) this.tell(this.#resync(before))
    this.tell(event)
  }
  #resync(seq: number): WireEvent {
    return { type: 'resync', conversationId: this.#id, seq, at: Date.now() }
  }

  tell(event: Event | WireEvent): void {
    for (const follower of this.followers) follower(event)
  }

  /**
   * Everything after `after`, no faster than it is read; then the text of what is being written, then what comes. A number that this log does not
   * have belongs to another log: `resync` says so, and the client fetches the conversation anew.
   */
  follow(after: number, follower: Follower, pace: Pace = () => undefined): () => void {
    let left = false
    let told = after
    this.#arriving++
    const arrived = () => {
      this.#arriving--
      if (left) return
      for (const event of this.#live.events(this.#id, Date.now())) follower(event)
      this.followers.add(follower)
    }
    const replay = (): void => {
      if (told > this.seq || told < this.#first - 1) {
        follower(this.#resync(this.seq))
        told = this.seq
      }
      for (const event of this.since(told)) {
        if (left) break
        const wait = pace()
        if (wait) return void wait.then(replay)
        told = event.seq ?? told
        follower(event)
      }
      arrived()
    }
    replay()
    return () => {
      left = true
      this.followers.delete(follower)
    }
  }
  get isWatched(): boolean {
    return this.followers.size > 0 || this.#arriving > 0
  }
  since(after: number): readonly Event[] {
    return this.#log.slice(Math.max(0, after - this.#first + 1))
  }
  get #first(): number {
    return this.#log[0]?.seq ?? 1
  }

  /**
   * Waits for the log to say so. False when it does not within `ms`: a log that cannot be written to keeps nobody waiting.
   * `also`: another moment to look.
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
