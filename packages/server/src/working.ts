import type { Turn } from 'turnbuckle'

const keptEnded = 100

/** The turns that run here, and the last ones that did. */
export class Working {
  readonly #running = new Map<string, Turn>()
  readonly #ended = new Map<string, Turn>()
  /** Of those that run: this process is the one that works on them. */
  readonly #begun = new WeakSet<Turn>()

  /** Resolves when it has ended. */
  async add(turn: Turn): Promise<void> {
    this.#running.set(turn.id, turn)
    void turn.began.then(() => this.#begun.add(turn))
    await turn.settled
    // One that was cut off may have been resumed by now.
    if (this.#running.get(turn.id) === turn) this.#running.delete(turn.id)
    this.#ended.set(turn.id, turn)
    if (this.#ended.size > keptEnded) this.#ended.delete(this.#ended.keys().next().value ?? '')
  }
  get(id: string): Turn | undefined {
    return this.#running.get(id) ?? this.#ended.get(id)
  }
  get running(): readonly Turn[] {
    return [...this.#running.values()].filter(turn => !turn.ended)
  }
  /** Those that do not wait for another process to end. */
  get begun(): readonly Turn[] {
    return this.running.filter(turn => this.#begun.has(turn))
  }
  /** Also none that has ended and is being put away. */
  get none(): boolean {
    return this.#running.size === 0
  }
}
