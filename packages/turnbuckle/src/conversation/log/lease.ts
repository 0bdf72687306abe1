import { TurnbuckleError } from '../../core/base/errors.ts'
import type { LoggedConversation } from '../../core/durable/log-port.ts'
import type { Commit, Committed, Driver, Maybe } from '../stores/driver.ts'
import { lockedHere } from '../stores/refusals.ts'

export interface LeaseOptions {
  /** Milliseconds that a writer may be silent before another may take over. */
  readonly leaseMs: number
  /** Milliseconds to wait for another writer before giving up. */
  readonly waitMs: number
  readonly holder: string
  /** Leases of this process on the same store, by conversation: the store tells holders apart, not leases of one holder. */
  readonly writers: Map<string, Lease>
}

/**
 * Milliseconds before the second try to become the writer; each further one waits twice as long, up to the last. Many that wait for a
 * silent process would keep the store from those that work.
 */
const firstWait = 25
const lastWait = 400

/** Being the one writer of a conversation: the token to write with, renewed for as long as it is held. */
export class Lease {
  readonly #driver: Driver
  readonly #conversation: Pick<LoggedConversation, 'id' | 'owner' | 'caller'>
  readonly #options: LeaseOptions
  readonly #onLost: () => void
  #fence: number | undefined
  #renewal: ReturnType<typeof setInterval> | undefined
  #abandoned = false
  /** Time of the last commit or renewal that showed this lease to be held. */
  #seenAt = 0

  /** `onLost`: another writer has taken the conversation over. */
  constructor(
    driver: Driver,
    conversation: Pick<LoggedConversation, 'id' | 'owner' | 'caller'>,
    options: LeaseOptions,
    onLost: () => void,
  ) {
    this.#driver = driver
    this.#conversation = conversation
    this.#options = options
    this.#onLost = onLost
  }

  /** The token to commit with; undefined while the lease is not held. */
  get fence(): number | undefined {
    return this.#fence
  }

  /** Becomes the writer. Waits for another one, then gives up. */
  acquire(until: number = performance.now() + this.#options.waitMs, wait: number = firstWait): Maybe<Committed> {
    const won = (committed: Committed) => {
      this.#fence = committed.fence
      this.seen()
      this.#keepAlive()
      return committed
    }
    const lost = (error: unknown): Promise<Committed> => {
      this.end()
      const waits = error instanceof TurnbuckleError && error.code === 'conversation.locked' && !this.#abandoned
      const left = until - performance.now()
      if (!waits || left <= 0) throw error
      const passed = new Promise(resolve => setTimeout(resolve, Math.min(wait, left)))
      return passed.then(() => this.acquire(until, Math.min(2 * wait, lastWait)))
    }
    const { writers } = this.#options
    const { id } = this.#conversation
    try {
      const writer = writers.get(id)
      if (writer) throw lockedHere(id, writer.#conversation.caller())
      // Before the store answers: it would take two leases of one holder for the same.
      writers.set(id, this)
      const got = this.#driver.commit(this.#nothing())
      return got instanceof Promise ? got.then(won, lost) : won(got)
    } catch (error) {
      return lost(error)
    }
  }

  /**
   * A commit without records. It has no head either: another writer may have moved that, and it is not read yet. A lease
   * means nothing after the machine has lost its power, so it is not synced.
   */
  #nothing(): Commit {
    const { id: conversation, owner } = this.#conversation
    const { holder, leaseMs } = this.#options
    const made = { owner, caller: this.#conversation.caller() }
    const nothing = { records: [], head: undefined, release: false, unsynced: true }
    return { conversation, holder, fence: undefined, leaseMs, ...nothing, ...made }
  }

  /** A commit has just shown that this is the writer. */
  seen(): void {
    this.#seenAt = Date.now()
  }

  /**
   * True when no commit or renewal has shown for half the lease that it is held. Until its end no writer takes over. A clock that
   * was put back says nothing, so the lease is unsure then too.
   */
  get unsure(): boolean {
    return this.#fence !== undefined && Math.abs(Date.now() - this.#seenAt) >= this.#options.leaseMs / 2
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
    // A renewal that fails says nothing of the lease: the next commit will tell.
    this.#renewal ??= setInterval(() => void this.renew().catch(() => {}), this.#options.leaseMs / 3)
    ;(this.#renewal as { unref?: () => void }).unref?.()
  }

  /** Ends the lease for good: an `acquire` that waits gives up. */
  abandon(): void {
    this.#abandoned = true
    this.end()
  }
  /** The lease is not held any more. The store was told, or has given it to another. */
  end(): void {
    this.#fence = undefined
    const { writers } = this.#options
    if (writers.get(this.#conversation.id) === this) writers.delete(this.#conversation.id)
    clearInterval(this.#renewal)
    this.#renewal = undefined
  }
}
