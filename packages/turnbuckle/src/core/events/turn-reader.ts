import type { TurnState } from '../types/turn-state.ts'
import type { Event, MessageDelta } from './events.ts'
import type { GrowingReply } from './growing-reply.ts'
import type { TurnListener } from './listener.ts'

const end = { done: true as const, value: undefined }

/** The pull side of a listener. Reads what is there at once, waits for the rest. */
export abstract class TurnReader<Item> implements AsyncIterator<Item>, TurnListener {
  protected readonly turn: TurnState
  protected over = false
  #attached = false
  readonly #waiting: ((result: IteratorResult<Item, undefined>) => void)[] = []

  constructor(turn: TurnState) {
    this.turn = turn
  }

  abstract event(event: Event): void
  abstract delta(delta: MessageDelta): void
  protected abstract take(): Item | undefined

  /** A late reader gets the events so far, then the growing reply in one piece, then its deltas. */
  #attach(): void {
    this.#attached = true
    for (const event of this.turn.events) this.again(event)
    if (this.over) return
    this.turn.listen(this)
    const { attempt } = this.turn.step
    if (attempt?.shown) this.grown(attempt)
  }
  /** Takes an event from before the reader was attached. */
  protected again(event: Event): void {
    this.event(event)
  }
  protected abstract grown(attempt: GrowingReply): void

  protected wake(): void {
    while (this.#waiting.length) {
      const item = this.take()
      if (item === undefined && !this.over) return
      this.#waiting.shift()?.(item === undefined ? end : { done: false, value: item })
    }
  }
  protected finish(): void {
    this.over = true
    this.turn.unlisten(this)
    this.wake()
  }

  /** No coroutine: this is called once a delta. */
  next(): Promise<IteratorResult<Item, undefined>> {
    if (!this.#attached) this.#attach()
    const item = this.take()
    if (item !== undefined) return Promise.resolve({ done: false, value: item })
    if (this.over) return Promise.resolve(end)
    return new Promise(resolve => {
      this.#waiting.push(resolve)
    })
  }
  return(): Promise<IteratorResult<Item, undefined>> {
    this.finish()
    return Promise.resolve(end)
  }
}
