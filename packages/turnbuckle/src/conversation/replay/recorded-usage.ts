import type { Message } from '../../core/base/message.ts'
import type { Chunk, Usage } from '../../core/base/ports.ts'
import { minus, noUsage, plus, uncounted, usageFields } from '../../core/base/usage-sums.ts'
import type { Event, TurnEnded } from '../../core/events/events.ts'

/** The usage of a recorded turn, and of each of its replies. */
export class RecordedUsage {
  readonly #byReply = new Map<string, Usage>()
  /** Of the model calls that hooks made themselves. */
  #ofHooks: Usage = noUsage
  readonly total: Usage

  constructor(events: readonly Event[], end: TurnEnded | undefined) {
    this.total = end?.usage ?? noUsage
    for (const event of events) {
      if (event.type === 'usage') this.#byReply.set(event.messageId, usageFields(event))
      if (event.type === 'usage.call' && event.stage === 'generate')
        this.#ofHooks = plus(this.#ofHooks, usageFields(event))
    }
  }

  /** The chunk that tells a reply's usage. One that was estimated is not told, and so estimated again. */
  chunk({ id }: Message): Chunk | undefined {
    const usage = this.#byReply.get(id)
    return usage && !usage.estimated ? { type: 'usage', ...usage } : undefined
  }

  /** `now`, and the part of the record that a replay does not spend again: of sub-agents and of attempts that failed. */
  withBesides(now: Usage, replies: readonly Message[]): Usage {
    const replied = replies.map(({ id }) => this.#byReply.get(id) ?? uncounted(1)).reduce(plus, noUsage)
    const besides = minus(minus(this.total, replied), this.#ofHooks)
    return besides.inputTokens > 0 || besides.outputTokens > 0 ? plus(now, besides) : now
  }
}
