import { TurnbuckleError } from '../../core/base/errors.ts'
import type { LoggedConversation } from '../../core/durable/log-port.ts'
import type { Commit, Driver, Maybe } from '../stores/driver.ts'
import { locked } from '../stores/refusals.ts'

export interface LeaseOptions {
  /** How long a writer may be silent before another may take over. */
  readonly leaseMs: number
  /** How long to wait for another writer before giving up. */
  readonly waitMs: number
  readonly holder: string
  /** By conversation, who in this process writes through the same store: a store tells its holders apart, not these. */
  readonly writers: Map<string, Lease>
}

/** Being the one writer of a conversation: the token to write with, renewed for as long as it is held. */
export class Lease {
  readonly #driver: Driver
  readonly #conversation: Pick<LoggedConversation, 'id' | 'owner'>
  readonly #options: LeaseOptions
  readonly #onLost: () => void
  #fence: number | undefined
  #renewal: ReturnType<typeof setInterval> | undefined
  #abandoned = false
  /** When it was last seen to be the writer. */
  #seenAt = 0

  /** `onLost`: another has taken it over. */
  constructor(
    driver: Driver,
    conversation: Pick<LoggedConversation, 'id' | 'owner'>,
    options: LeaseOptions,
    onLost: () => void,
  ) {
    this.#driver = driver
    this.#conversation = conversation
    this.#options = options
    this.#onLost = onLost
  }

  /** The token; nothing while this is not the writer. */
  get fence(): number | undefined {
    return this.#fence
  }

  /** Becomes the writer. Waits for another one, then gives up. */
  acquire(until: number = Date.now() + this.#options.waitMs): Maybe<void> {
    const won = ({ fence }: { readonly fence: number }) => {
      this.#fence = fence
      this.seen()
      this.#keepAlive()
    }
    const lost = (error: unknown): Promise<void> => {
      this.end()
      const waits = error instanceof TurnbuckleError && error.code === 'conversation.locked' && !this.#abandoned
      if (!waits || Date.now() > until) throw error
      return new Promise(resolve => setTimeout(resolve, 25)).then(() => this.acquire(until))
    }
    const { writers, holder } = this.#options
    const { id } = this.#conversation
    try {
      if (writers.has(id)) throw locked(id, holder)
      // Before the store answers: it would take two of one process for the same.
      writers.set(id, this)
      const got = this.#driver.commit(this.#nothing())
      return got instanceof Promise ? got.then(won, lost) : won(got)
    } catch (error) {
      return lost(error)
    }
  }

  /** Writes nothing. Where the head is now is not known yet: another may have moved it. */
  #nothing(): Commit {
    const { id: conversation, owner } = this.#conversation
    const { holder, leaseMs } = this.#options
    return { conversation, holder, fence: undefined, leaseMs, release: false, records: [], head: undefined, owner }
  }

  /** A commit has just shown that this is the writer. */
  seen(): void {
    this.#seenAt = Date.now()
  }

  /** Nothing has shown for a while that this is still the writer. Nobody takes over before the lease ends. */
  get unsure(): boolean {
    return this.#fence !== undefined && Date.now() - this.#seenAt >= this.#options.leaseMs / 2
  }

  async renew(): Promise<void> {
    const { leaseMs, holder } = this.#options
    const fence = this.#fence
    if (fence === undefined) return
    const held = await this.#driver.renew(this.#conversation.id, holder, fence, leaseMs)
    if (held) this.seen()
    else if (this.#fence === fence) this.#onLost()
  }

  #keepAlive(): void {
    // Where it cannot be said, the next commit will tell.
    this.#renewal ??= setInterval(() => void this.renew().catch(() => {}), this.#options.leaseMs / 3)
    ;(this.#renewal as { unref?: () => void }).unref?.()
  }

  /** Nobody will write with it again: who waits to become the writer gives up. */
  abandon(): void {
    this.#abandoned = true
    this.end()
  }
  /** Is not the writer any more; the log was told, or knows better. */
  end(): void {
    this.#fence = undefined
    const { writers } = this.#options
    if (writers.get(this.#conversation.id) === this) writers.delete(this.#conversation.id)
    clearInterval(this.#renewal)
    this.#renewal = undefined
  }
}
