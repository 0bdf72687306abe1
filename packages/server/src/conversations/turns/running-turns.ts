import type { Turn } from 'turnbuckle'

/** The turns of a conversation that run in this process, and the last that did. */
export class RunningTurns {
  readonly #running = new Map<string, Turn>()
  readonly #ended = new Map<string, Turn>()
  readonly #keptEnded: number
  /** Turns that this process holds the lease for: they do not wait for another process to end. */
  readonly #begun = new WeakSet<Turn>()

  /** `keptEnded`: turns that are kept when they have ended. */
  constructor(keptEnded: number) {
    this.#keptEnded = keptEnded
  }

  /** Resolves when the turn has ended. */
  async add(turn: Turn): Promise<void> {
    this.#running.set(turn.id, turn)
    void turn.began.then(() => this.#begun.add(turn))
    await turn.settled
    // A turn that was cut off may have been resumed by now: that one stays.
    if (this.#running.get(turn.id) === turn) this.#running.delete(turn.id)
    this.#ended.set(turn.id, turn)
    if (this.#ended.size > this.#keptEnded) this.#ended.delete(this.#ended.keys().next().value ?? '')
  }
  get(id: string): Turn | undefined {
    return this.#running.get(id) ?? this.#ended.get(id)
  }
  get list(): readonly Turn[] {
    return [...this.#running.values()].filter(turn => !turn.ended)
  }
  /** True for a turn that this process works on. */
  isAtWork(id: string): boolean {
    const turn = this.#running.get(id)
    return turn !== undefined && !turn.ended && this.#begun.has(turn)
  }
  /** True while this process writes to the log. */
  get hasBegun(): boolean {
    return this.list.some(turn => this.#begun.has(turn))
  }
  /** False also for a turn that has ended and is being put away. */
  get isEmpty(): boolean {
    return this.#running.size === 0
  }
}
