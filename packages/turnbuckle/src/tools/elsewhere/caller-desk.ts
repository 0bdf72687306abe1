import { canonicalJson } from '../../core/base/canonical-json.ts'
import { messageOf, TurnbuckleError } from '../../core/base/errors.ts'
import type { NewMessage } from '../../core/base/message.ts'
import { minus } from '../../core/base/usage-sums.ts'
import type { Event } from '../../core/events/events.ts'
import { ownEvent } from '../../core/events/news.ts'
import { middlewareState, updateMiddlewareState } from '../../core/hooks/middleware-state.ts'
import { addUsage, announceCall, catchUpUsage } from '../../core/model/usage.ts'
import type { TurnState } from '../../core/types/turn-state.ts'
import type { StartedSubAgent } from '../sub-agent-turn.ts'
import {
  type AskAnswer,
  type CallerNow,
  callerLeft,
  type EndedElsewhere,
  type JoinedCaller,
  type SentMessage,
  type SharedAnswer,
  type SharedNews,
  type SpentElsewhere,
  type StateChange,
} from './caller-messages.ts'
import { sharedGuards } from './shared-guards.ts'

/** Milliseconds after which an open question is said to be open still: a message waits no longer for its answer. */
const stillOpenAfter = 1000

const nobodyWaits = (): TurnbuckleError => new TurnbuckleError(callerLeft, 'Nobody waits for this sub-agent here.')

interface DeskOptions {
  readonly caller: TurnState
  /** Absent where the store has it. */
  readonly message: string | NewMessage | undefined
  /** Its key in the store. */
  readonly taskKey?: string | undefined
  readonly signal: AbortSignal
  /** The sub-agent's turn of an earlier attempt. */
  readonly after: string | undefined
}

/** The caller's side of a sub-agent that another process works on: it has the states, counts the usage, and asks people. */
export class CallerDesk {
  readonly #options: DeskOptions
  readonly #caller: TurnState
  readonly #asked = new Map<string, Promise<AskAnswer>>()
  readonly #started = new Set<string>()
  /** The try that is heard: an engine may have given the work to another process since. */
  #by: string | undefined
  #last: { readonly n: number; readonly answer: SharedAnswer } | undefined
  #spent: SpentElsewhere | undefined
  #lastStarted: StartedSubAgent | undefined
  #ended: EndedElsewhere | undefined

  constructor(options: DeskOptions) {
    this.#options = options
    this.#caller = options.caller
  }

  get ended(): EndedElsewhere | undefined {
    return this.#ended
  }

  async hear(message: SentMessage): Promise<unknown> {
    if (this.#caller.over) throw nobodyWaits()
    if (message.type === 'join') this.#begin(message.by)
    if (message.by !== this.#by) throw nobodyWaits()
    const { requests } = this.#caller.conversation
    switch (message.type) {
      case 'join':
        return this.#joined()
      case 'share':
        return this.#share(message)
      case 'ask':
        return this.#ask(message)
      case 'answer':
        await requests.answer(message.id, message.answer, message.options)
        return null
      case 'expire':
        requests.expire(message.id, this.#caller.id)
        return null
      default:
        return message satisfies never
    }
  }

  #begin(by: string): void {
    if (this.#by !== undefined && this.#by !== by) this.#tellLost()
    this.#by = by
    this.#last = undefined
    this.#bill(0)
  }
  /** The process that worked on it is gone, and with it what ran there: who follows the caller hears that its turn was left. */
  #tellLost(): void {
    const started = this.#lastStarted
    if (!started) return
    const { callId, agent, agentConversationId, agentTurnId: turnId } = started
    const at = this.#caller.conversation.clock.now()
    const event = {
      type: 'turn.parked',
      conversationId: agentConversationId,
      turnId,
      at,
      reason: 'its worker was lost',
    }
    const news = ownEvent({ type: 'agent.event', callId, agent, agentConversationId, event })
    this.#caller.conversation.tell(news, this.#caller, 'passing')
  }
  #joined(): JoinedCaller {
    const { message, taskKey, after } = this.#options
    const { depth, deepest, link, replay } = this.#caller
    return { ...this.#now(), message, taskKey, after, depth, deepest, client: link.client, waited: replay.waited }
  }
  #now(): CallerNow {
    const { signal } = this.#options
    const guards = sharedGuards(this.#caller)
    return {
      states: Object.fromEntries(guards.map(owner => [owner.name, middlewareState(this.#caller, owner)])),
      usage: this.#caller.spent.usage,
      ...(signal.aborted ? { interrupted: messageOf(signal.reason) } : {}),
    }
  }

  /** News that comes twice counts once: its answer was lost, or it was late, and nobody waits for its answer any more. */
  #share({ n, ...news }: SharedNews & { readonly n: number }): SharedAnswer {
    if (this.#last && n <= this.#last.n) return this.#last.answer
    const refused = this.#take(news)
    const answer = { ...this.#now(), refused }
    this.#last = { n, answer }
    return answer
  }
  #take({ events, spent, changes, ended }: SharedNews): readonly string[] {
    for (const event of events) this.#tell(event)
    if (spent) this.count(spent)
    const refused = changes.filter(change => !this.#change(change)).map(({ name }) => name)
    if (changes.length) this.#caller.stateLog.flush()
    if (ended && !this.#ended) this.#caller.steering.list(...ended.decisions)
    this.#ended ??= ended
    return refused
  }
  #tell(event: Event): void {
    const { seq: _, at: __, conversationId: ___, turnId: ____, ...told } = event as Event & { turnId?: string }
    if (event.type === 'agent.event')
      return void this.#caller.conversation.tell(ownEvent(told), this.#caller, 'passing')
    const key = canonicalJson(told)
    if (this.#started.has(key)) return
    this.#started.add(key)
    if (event.type === 'agent.started') this.#lastStarted = told as unknown as StartedSubAgent
    this.#caller.tell(ownEvent(told))
  }
  #change({ name, before, value }: StateChange): boolean {
    const owner = sharedGuards(this.#caller).find(guard => guard.name === name)
    // A guard that was switched off meanwhile has no state to keep here.
    if (!owner) return true
    if (canonicalJson(middlewareState(this.#caller, owner)) !== canonicalJson(before)) return false
    updateMiddlewareState(this.#caller, owner, () => value)
    return true
  }

  /** Counts the usage of the sub-agent's turn, less what was counted before. */
  count({ turnId: id, usage, unbilled }: SpentElsewhere): void {
    const known = this.#spent?.turnId === id ? this.#spent.usage : undefined
    this.#bill(unbilled)
    if (!known) catchUpUsage(this.#caller, { id, usage })
    else if (canonicalJson(known) !== canonicalJson(usage)) addUsage(this.#caller, minus(usage, known), { id, usage })
    this.#spent = { turnId: id, usage, unbilled }
    if (unbilled) announceCall(this.#caller)
  }
  #bill(unbilled: number): void {
    const before = this.#spent?.unbilled ?? 0
    if (unbilled !== before) this.#caller.spent.bill(unbilled - before)
    if (this.#spent) this.#spent = { ...this.#spent, unbilled }
  }

  /** A question is opened by the first message, which says so at once; those after it wait for the answer. */
  #ask(message: Extract<SentMessage, { type: 'ask' }>): Promise<AskAnswer> | AskAnswer {
    const open: AskAnswer = { state: 'open' }
    const asked = this.#asked.get(message.id)
    if (!asked) {
      this.#asked.set(message.id, this.#open(message))
      return open
    }
    return new Promise(resolve => {
      const cancel = this.#caller.conversation.clock.after(stillOpenAfter, () => resolve(open))
      void asked.then(answer => {
        cancel()
        resolve(answer)
      })
    })
  }
  #open({ id, kind, payload, options }: Extract<SentMessage, { type: 'ask' }>): Promise<AskAnswer> {
    const { conversation, people, spent } = this.#caller
    const asked = conversation.requests.ask(this.#caller, id, kind, payload, options)
    people.noteAsked()
    if (spent.unbilled) announceCall(this.#caller)
    return asked.then(
      answer => ({ state: 'answered', answer }),
      (error: unknown) => ({
        state: 'failed',
        code: error instanceof TurnbuckleError ? error.code : 'request.expired',
        message: messageOf(error),
      }),
    )
  }
}
