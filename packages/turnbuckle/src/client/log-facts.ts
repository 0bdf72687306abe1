import type { Message } from '../core/base/message.ts'
import type { Usage } from '../core/base/ports.ts'
import type { Event } from '../core/events/events.ts'
import { callKey } from './conversation-state.ts'
import type { WireCall, WireEvent } from './wire.ts'

/** The end of a request. */
export interface ClosedRequest {
  readonly how: 'answered' | 'expired'
  readonly decision?: unknown
  /** The person who answered, where that is known. */
  readonly by?: string | undefined
}

/** The `tag` of a turn's first event, and when that event was heard of. */
export interface TurnTag {
  readonly tag: unknown
  readonly at: number
}

type TurnEnd = Extract<Event, { outcome: unknown }>

/** Facts that only a whole log tells: a view that begins with its first event has them. */
export class LogFacts {
  /** Sum of all turns; a turn that runs counts with its messages so far. Without `cost` where that of one is not known. */
  usage: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }
  firstUserMessage: Message | undefined
  readonly turnTags: Map<string, TurnTag> = new Map()
  /** The last message of every turn that has one, ended turns included. */
  readonly lastMessages: Map<string, string> = new Map()
  readonly requestIds: Set<string> = new Set()
  /** The people whom each request names, closed requests included. */
  readonly askedPeople: Map<string, readonly string[]> = new Map()
  readonly closedRequests: Map<string, ClosedRequest> = new Map()
  /** Messages that were hidden; all below them are, too. */
  readonly hiddenMessages: Set<string> = new Set()
  /** The status that the log has of each call, by `callKey`. */
  readonly callStatuses: Map<string, WireCall['status']> = new Map()
  /** Arguments that a call ran with where a person or a hook had changed them, by `callKey`. */
  readonly changedArgs: Map<string, unknown> = new Map()
  /** Arguments that the model asked for, of calls that have not begun, by `callKey`. */
  readonly #askedArgs = new Map<string, unknown>()
  /** Usage of the messages of each turn that runs. */
  readonly #usageOfTurns = new Map<string, Usage>()

  /** `at`: when the event was heard of. */
  apply(event: WireEvent, at: number): void {
    const { turnId = '' } = event as Event
    switch (event.type) {
      case 'turn.started':
        this.#usageOfTurns.set(turnId, none)
        if (event.tag !== undefined) this.turnTags.set(turnId, { tag: event.tag, at })
        return
      case 'message.added':
        if (turnId) this.lastMessages.set(turnId, event.messageId)
        if (event.role === 'user') this.firstUserMessage ??= event.message
        return
      case 'message.hidden':
        this.hiddenMessages.add(event.messageId)
        return
      case 'message.restored':
        this.hiddenMessages.delete(event.messageId)
        return
      case 'usage':
        this.usage = add(this.usage, event)
        this.#usageOfTurns.set(turnId, add(this.#usageOfTurns.get(turnId) ?? none, event))
        return
      case 'turn.completed':
      case 'turn.stopped':
      case 'turn.failed':
      case 'turn.interrupted':
        this.#endTurn(turnId, event)
        return
      default:
        if (event.type.startsWith('tool.')) this.#applyCall(turnId, event as Event)
        if (event.type.startsWith('request.')) this.#applyRequest(event as Event)
    }
  }

  /** A turn has used more than its messages: hooks ask models too, and attempts fail. Turns beside it count themselves. */
  #endTurn(turnId: string, { usage, elsewhere = none }: TurnEnd): void {
    const counted = this.#usageOfTurns.get(turnId)
    if (!counted) return
    this.#usageOfTurns.delete(turnId)
    this.usage = add(this.usage, add(add(usage, elsewhere, -1), counted, -1))
  }

  #applyCall(turnId: string, event: Event): void {
    if (event.type === 'tool.pending') {
      const key = callKey(turnId, event.callId)
      this.#askedArgs.set(key, event.args)
      this.callStatuses.set(key, 'pending')
    }
    if (event.type === 'tool.executing') {
      const key = callKey(turnId, event.callId)
      const asked = this.#askedArgs.get(key)
      this.#askedArgs.delete(key)
      this.callStatuses.set(key, 'executing')
      if (event.args !== asked && JSON.stringify(event.args) !== JSON.stringify(asked))
        this.changedArgs.set(key, event.args)
    }
    if (event.type === 'tool.completed' || event.type === 'tool.failed')
      this.callStatuses.set(callKey(turnId, event.callId), event.status)
  }

  #applyRequest(event: Event): void {
    if (event.type === 'request.opened') {
      this.requestIds.add(event.requestId)
      if (event.to) this.askedPeople.set(event.requestId, event.to)
    }
    if (event.type === 'request.answered') {
      const { decision, by } = event
      this.closedRequests.set(event.requestId, { how: 'answered', decision, ...(by === undefined ? {} : { by }) })
    }
    if (event.type === 'request.expired') this.closedRequests.set(event.requestId, { how: 'expired' })
  }
}

const none: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }

const add = (a: Usage, b: Usage, sign = 1): Usage => ({
  inputTokens: a.inputTokens + sign * b.inputTokens,
  outputTokens: a.outputTokens + sign * b.outputTokens,
  ...(a.cost === undefined || b.cost === undefined ? {} : { cost: a.cost + sign * b.cost }),
})
