import type { Event } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'

/** Milliseconds between two looks at the log. */
const lookEvery = 300

/** The turn has ended, its process has left it in the middle, or the whole conversation is deleted. */
export type TurnElsewhereEnd = 'ended' | 'left' | 'deleted'

export interface TurnElsewhereOptions {
  readonly store: Pick<ConversationStore, 'events' | 'conversation'>
  readonly conversation: string
  readonly turnId: string
  /** The number of the last event that is known. */
  readonly after: number
  readonly hear: (event: Event) => void
  /** Called once. */
  readonly over: (how: TurnElsewhereEnd) => void
}

/** A turn that another process works on: the log is looked at again and again, and what it gets is told. */
export class TurnElsewhere {
  readonly #options: TurnElsewhereOptions
  readonly #looking: ReturnType<typeof setInterval>
  #after: number
  /** A look that takes longer than the time between two is the only one. */
  #isLooking = false
  #isStopped = false

  constructor(options: TurnElsewhereOptions) {
    this.#options = options
    this.#after = options.after
    this.#looking = setInterval(() => void this.#look(), lookEvery)
    this.#looking.unref()
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#looking)
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      await this.#read()
    } catch {
      // A store that fails now may answer at the next look.
    } finally {
      this.#isLooking = false
    }
  }
  async #read(): Promise<void> {
    const { store, conversation, turnId, hear } = this.#options
    // Asked before the log is read: what its process wrote last is heard before it counts as gone.
    const row = await store.conversation(conversation)
    for (const event of await store.events(conversation, this.#after)) {
      if (this.#isStopped) return
      this.#after = event.seq ?? this.#after
      hear(event)
      if ('outcome' in event && event.turnId === turnId) return this.#end('ended')
    }
    if (!row) this.#end('deleted')
    else if (!row.held) this.#end('left')
  }
  #end(how: TurnElsewhereEnd): void {
    if (this.#isStopped) return
    this.stop()
    this.#options.over(how)
  }
}
