import { type Event, textOf, type Usage } from 'turnbuckle'
import type { WireCall, WireTurn, WireTurnStatus } from 'turnbuckle/client'

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** What the log says about turns and cost. */
export class Turns {
  readonly #turns = new Map<string, Mutable<WireTurn>>()
  readonly #calls = new Map<string, WireCall>()
  /** Absent cost: no price is known. */
  usage: Usage = { inputTokens: 0, outputTokens: 0 }
  messages = 0
  firstText: string | undefined

  get list(): readonly WireTurn[] {
    return [...this.#turns.values()]
  }
  /** The number of its first event. */
  startedAt(turnId: string): number | undefined {
    return this.#turns.get(turnId)?.seq
  }

  get calls(): readonly WireCall[] {
    return [...this.#calls.values()]
  }

  add(event: Event): void {
    const { turnId } = event
    if (event.type.startsWith('tool.')) this.#addCall(event)
    switch (event.type) {
      case 'turn.started':
        if (!turnId) return
        this.#turns.set(turnId, {
          id: turnId,
          seq: event.seq ?? 0,
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

  #addCall(event: Event): void {
    const { turnId = '', at } = event
    const call = (callId: string, more: Omit<WireCall, 'turnId' | 'callId'>) => {
      const key = `${turnId}/${callId}`
      this.#calls.set(key, { ...this.#calls.get(key), turnId, callId, ...more })
    }
    if (event.type === 'tool.pending') call(event.callId, { name: event.name, status: 'pending' })
    if (event.type === 'tool.executing') call(event.callId, { name: event.name, status: 'executing', startedAt: at })
    if (event.type === 'tool.completed' || event.type === 'tool.failed')
      call(event.callId, { name: event.name, status: event.status, durationMs: event.durationMs })
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
