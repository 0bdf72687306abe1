import type { WireEvent } from './wire.ts'

/** The options of `client.follow`. */
export interface FollowOptions {
  /** The number of the last event that is known. */
  readonly after: number
  /** Asks for the spans of stages and hooks too, as they begin and end. */
  readonly trace?: boolean
  /** Called with each event, in order. */
  readonly onEvent: (event: WireEvent) => void
}

interface Follower {
  readonly options: FollowOptions
  last: number
}

/** The followers of conversations, each with the last sequence number it was told. */
export class Followers {
  readonly #followers = new Map<string, Set<Follower>>()
  readonly #send: (frame: object) => void

  constructor(send: (frame: object) => void) {
    this.#send = send
  }

  /** Returns how to stop. */
  add(conversationId: string, options: FollowOptions): () => void {
    const one: Follower = { options, last: options.after }
    const all = this.#followers.get(conversationId) ?? new Set()
    this.#followers.set(conversationId, all.add(one))
    this.#subscribe(conversationId)
    return () => {
      all.delete(one)
      if (all.size || !this.#followers.delete(conversationId)) return
      this.#send({ type: 'unsubscribe', conversationId })
    }
  }

  subscribeAll(): void {
    for (const id of this.#followers.keys()) this.#subscribe(id)
  }
  #subscribe(conversationId: string): void {
    const all = [...(this.#followers.get(conversationId) ?? [])]
    if (!all.length) return
    const after = Math.min(...all.map(({ last }) => last))
    this.#send({ type: 'subscribe', conversationId, after, trace: all.some(one => one.options.trace) })
  }

  tell(event: WireEvent): void {
    for (const one of this.#followers.get(event.conversationId) ?? []) this.#deliver(one, event)
  }
  /** Drops an event that was told already; after a gap in the sequence numbers the rest is asked for again. */
  #deliver(one: Follower, event: WireEvent): void {
    const { seq } = event as { readonly seq?: number }
    if (event.type === 'resync') one.last = event.seq
    else if (seq !== undefined) {
      if (seq <= one.last) return
      if (seq > one.last + 1) {
        this.#subscribe(event.conversationId)
        return
      }
      one.last = seq
    }
    one.options.onEvent(event)
  }
}
