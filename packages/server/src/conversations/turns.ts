import { type Event, textOf, type Usage } from 'turnbuckle'
import type { WireCall, WireRequest, WireTurn, WireTurnStatus } from 'turnbuckle/client'
import { titleFromText } from './title-from-text.ts'

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

type TurnEnd = Extract<Event, { outcome: unknown }>

const day = 24 * 60 * 60 * 1000

/** What `turn.started` carries of a call with an idempotency key: the key, and a digest of the body. */
export interface Tag {
  readonly key: string
  readonly body: string
}

/** How a request ended. */
export interface ClosedRequest {
  readonly how: 'answered' | 'expired'
  readonly decision?: unknown
}

/** What the log says about turns and cost. */
export class Turns {
  readonly #turns = new Map<string, Mutable<WireTurn>>()
  readonly #calls = new Map<string, WireCall>()
  /** The arguments of calls that have not begun. */
  readonly #asked = new Map<string, unknown>()
  readonly #tips = new Map<string, string>()
  readonly #open = new Map<string, WireRequest>()
  readonly #closed = new Map<string, ClosedRequest>()
  readonly #tagged = new Map<string, { readonly turnId: string; readonly at: number } & Tag>()
  /** Of turns that run: what their messages have used. */
  readonly #told = new Map<string, Usage>()
  /** Of all turns, of those that run what their messages have. Absent cost: that of one is not known. */
  usage: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }
  firstText: string | undefined

  get list(): readonly WireTurn[] {
    return [...this.#turns.values()]
  }
  /** The number of its first event. */
  startedAt(turnId: string): number | undefined {
    return this.#turns.get(turnId)?.seq
  }

  /** The turn that a key started, for a day. */
  tagged(key: string): ({ readonly turnId: string } & Tag) | undefined {
    const known = this.#tagged.get(key)
    return known && known.at > Date.now() - day ? known : undefined
  }
  /** The last message of a turn. */
  tip(turnId: string): string | undefined {
    return this.#tips.get(turnId) ?? this.#turns.get(turnId)?.parentId ?? undefined
  }
  /** What waits for an answer. */
  get requests(): readonly WireRequest[] {
    return [...this.#open.values()]
  }
  get requestIds(): readonly string[] {
    return [...this.#open.keys(), ...this.#closed.keys()]
  }
  closed(requestId: string): ClosedRequest | undefined {
    return this.#closed.get(requestId)
  }
  get calls(): readonly WireCall[] {
    return [...this.#calls.values()]
  }

  /** `at`: when it was heard of here, or, of an older log, when it happened. */
  add(event: Event, at: number): void {
    const { turnId } = event
    if (event.type.startsWith('tool.')) this.#addCall(event)
    if (event.type.startsWith('request.')) this.#addRequest(event)
    switch (event.type) {
      case 'turn.started':
        if (!turnId) return
        this.#addTag(turnId, event.tag, at)
        this.#turns.set(turnId, {
          id: turnId,
          seq: event.seq ?? 0,
          parentId: event.parentId ?? null,
          status: 'running',
          startedAt: event.at,
        })
        return
      case 'message.added':
        if (turnId) this.#tips.set(turnId, event.messageId)
        if (event.role === 'user') this.firstText ??= titleFromText(textOf(event.message))
        return
      case 'usage':
        this.usage = plus(this.usage, event)
        if (turnId) this.#told.set(turnId, plus(this.#told.get(turnId) ?? nothing, event))
        return
      case 'turn.completed':
      case 'turn.stopped':
      case 'turn.failed':
      case 'turn.interrupted':
        this.#end(event)
    }
  }

  #end({ turnId = '', outcome, reason, by, usage, error, at }: TurnEnd): void {
    const turn = this.#turns.get(turnId)
    if (!turn) return
    // Hooks ask models too, and attempts fail: the turn has used more than its messages.
    const told = this.#told.get(turnId) ?? nothing
    this.#told.delete(turnId)
    this.usage = plus(this.usage, plus(usage, told, -1))
    Object.assign(turn, { status: outcome as WireTurnStatus, reason, by, usage, endedAt: at })
    if (error !== undefined) turn.error = error
  }

  #addTag(turnId: string, tag: unknown, at: number): void {
    const { key, body } = (tag ?? {}) as Partial<Tag>
    if (typeof key === 'string' && typeof body === 'string') this.#tagged.set(key, { turnId, at, key, body })
  }

  #addCall(event: Event): void {
    const { turnId = '', at } = event
    const call = (callId: string, more: Omit<WireCall, 'turnId' | 'callId'>) => {
      const key = `${turnId}/${callId}`
      this.#calls.set(key, { ...this.#calls.get(key), turnId, callId, ...more })
    }
    if (event.type === 'tool.pending') {
      this.#asked.set(`${turnId}/${event.callId}`, event.args)
      call(event.callId, { name: event.name, status: 'pending' })
    }
    if (event.type === 'tool.executing') {
      const changed = this.#isChanged(`${turnId}/${event.callId}`, event.args) ? { args: event.args } : {}
      call(event.callId, { name: event.name, status: 'executing', startedAt: at, ...changed })
    }
    if (event.type === 'tool.completed' || event.type === 'tool.failed')
      call(event.callId, { name: event.name, status: event.status, durationMs: event.durationMs })
  }

  /** A person or a hook may have changed what the model asked for. */
  #isChanged(key: string, args: unknown): boolean {
    const asked = this.#asked.get(key)
    this.#asked.delete(key)
    return args !== asked && JSON.stringify(args) !== JSON.stringify(asked)
  }

  #addRequest(event: Event): void {
    if (event.type === 'request.opened') {
      const { requestId: id, kind, payload, deadline, at: openedAt, turnId = '' } = event
      const request = { id, kind, payload, turnId, openedAt }
      this.#open.set(id, deadline ? { ...request, deadline } : request)
    }
    if (event.type !== 'request.answered' && event.type !== 'request.expired') return
    this.#open.delete(event.requestId)
    const answered = event.type === 'request.answered'
    this.#closed.set(event.requestId, answered ? { how: 'answered', decision: event.decision } : { how: 'expired' })
  }
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }

const plus = (a: Usage, b: Usage, sign = 1): Usage => ({
  inputTokens: a.inputTokens + sign * b.inputTokens,
  outputTokens: a.outputTokens + sign * b.outputTokens,
  ...(a.cost === undefined || b.cost === undefined ? {} : { cost: a.cost + sign * b.cost }),
})
