import type { Event } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'

interface Growing {
  readonly turnId: string
  text: string
  reasoning: string
}

interface Delta {
  readonly turnId: string
  readonly messageId: string
  readonly text: string
  readonly reasoning: boolean
}

/** The text of messages that are still growing: deltas are not in the log, so who comes late gets this. */
export class LiveText {
  readonly #growing = new Map<string, Growing>()

  add({ turnId, messageId, text, reasoning }: Delta): void {
    const growing = this.#growing.get(messageId) ?? { turnId, text: '', reasoning: '' }
    this.#growing.set(messageId, growing)
    if (reasoning) growing.reasoning += text
    else growing.text += text
  }

  /** A message that was added or withdrawn no longer grows; a turn that ended leaves none growing. */
  settle(event: Event): void {
    if (event.type === 'message.added' || event.type === 'message.discarded') this.#growing.delete(event.messageId)
    if (/^turn\.(completed|stopped|failed|interrupted)$/.test(event.type))
      for (const [id, { turnId }] of this.#growing) if (turnId === event.turnId) this.#growing.delete(id)
  }

  /** One `message.text` for each text so far. */
  events(conversationId: string, at: number): WireEvent[] {
    const events: WireEvent[] = []
    for (const [messageId, { turnId, text, reasoning }] of this.#growing) {
      const common = { type: 'message.text' as const, conversationId, at, turnId, messageId, offset: 0 }
      if (reasoning) events.push({ ...common, text: reasoning, reasoning: true })
      if (text) events.push({ ...common, text })
    }
    return events
  }
}
