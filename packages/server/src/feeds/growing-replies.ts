import type { Event } from 'turnbuckle'
import type { WireEvent } from 'turnbuckle/client'

type CallDelta = Extract<Event, { type: 'tool.delta' | 'tool.text' }>

interface Growing {
  readonly turnId: string
  text: string
  reasoning: string
  /** Calls as far as they are written, by their ids. */
  readonly calls: Map<string, { readonly name: string; text: string }>
}

interface Delta {
  readonly turnId: string
  readonly messageId: string
  readonly text: string
  readonly reasoning: boolean
}

/** Messages that are still being written: deltas are not in the log, so a late follower gets the text so far from here. */
export class GrowingReplies {
  readonly #growing = new Map<string, Growing>()

  add({ turnId, messageId, text, reasoning }: Delta): void {
    const growing = this.#of(messageId, turnId)
    if (reasoning) growing.reasoning += text
    else growing.text += text
  }
  addCall({ turnId = '', messageId, callId, name, text }: CallDelta): void {
    const { calls } = this.#of(messageId, turnId)
    calls.set(callId, { name, text: (calls.get(callId)?.text ?? '') + text })
  }
  #of(messageId: string, turnId: string): Growing {
    const growing = this.#growing.get(messageId) ?? { turnId, text: '', reasoning: '', calls: new Map() }
    this.#growing.set(messageId, growing)
    return growing
  }

  /** A message that was added or withdrawn no longer grows; a turn that ended leaves none growing. */
  settle(event: Event): void {
    if (event.type === 'message.added' || event.type === 'message.discarded') this.#growing.delete(event.messageId)
    if (/^turn\.(completed|stopped|failed|interrupted)$/.test(event.type))
      for (const [id, { turnId }] of this.#growing) if (turnId === event.turnId) this.#growing.delete(id)
  }

  /** One `message.text` for each text so far, one `tool.text` for each call. */
  events(conversationId: string, at: number): WireEvent[] {
    const events: WireEvent[] = []
    for (const [messageId, { turnId, text, reasoning, calls }] of this.#growing) {
      const common = { conversationId, at, turnId, messageId, offset: 0 }
      if (reasoning) events.push({ type: 'message.text', ...common, text: reasoning, reasoning: true })
      if (text) events.push({ type: 'message.text', ...common, text })
      for (const [callId, call] of calls) events.push({ type: 'tool.text', ...common, callId, ...call })
    }
    return events
  }
}
