import { type Event, textOf, type Usage } from 'turnbuckle'
import type { WireTurn, WireTurnStatus } from 'turnbuckle/client'

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** What the log says about turns and cost. */
export class Turns {
  readonly #turns = new Map<string, Mutable<WireTurn>>()
  readonly #startedAt = new Map<string, number>()
  /** Absent cost: no price is known. */
  usage: Usage = { inputTokens: 0, outputTokens: 0 }
  messages = 0
  firstText: string | undefined

  get list(): readonly WireTurn[] {
    return [...this.#turns.values()]
  }
  /** The number of its first event. */
  startedAt(turnId: string): number | undefined {
    return this.#startedAt.get(turnId)
  }

  add(event: Event): void {
    const { turnId } = event
    switch (event.type) {
      case 'turn.started':
        if (!turnId) return
        this.#startedAt.set(turnId, event.seq ?? 0)
        this.#turns.set(turnId, {
          id: turnId,
          parentId: event.parentId ?? null,
          status: 'running',
          startedAt: event.at,
        })
        return
      case 'message.added':
        this.messages++
        if (event.role === 'user') this.firstText ??= textOf(event.message).slice(0, 80)
        return
      case 'usage':
        this.#addUsage(event)
        return
      case 'turn.completed':
      case 'turn.stopped':
      case 'turn.failed':
      case 'turn.interrupted': {
        const turn = this.#turns.get(turnId ?? '')
        if (!turn) return
        const { reason, by, usage, error, at } = event
        Object.assign(turn, { status: event.outcome as WireTurnStatus, reason, by, usage, endedAt: at })
        if (error !== undefined) turn.error = error
      }
    }
  }

  #addUsage({ inputTokens, outputTokens, cost }: Usage): void {
    const { usage } = this
    this.usage = {
      inputTokens: usage.inputTokens + inputTokens,
      outputTokens: usage.outputTokens + outputTokens,
      ...(cost === undefined && usage.cost === undefined ? {} : { cost: (usage.cost ?? 0) + (cost ?? 0) }),
    }
  }
}
