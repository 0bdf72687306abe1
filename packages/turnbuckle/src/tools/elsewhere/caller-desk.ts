import { canonicalJson } from '../../core/base/canonical-json.ts'
import { messageOf, TurnbuckleError } from '../../core/base/errors.ts'
import { minus } from '../../core/base/usage-sums.ts'
import type { Event } from '../../core/events/events.ts'
import { ownEvent } from '../../core/events/news.ts'
import { middlewareState, updateMiddlewareState } from '../../core/hooks/middleware-state.ts'
import { addUsage, announceCall, catchUpUsage } from '../../core/model/usage.ts'
import type { TurnState } from '../../core/types/turn-state.ts'
import type { StartedSubAgent } from '../sub-agent-turn.ts'
import { AskedElsewhere } from './asked-elsewhere.ts'
import {
  type CallerNow,
  callerLeft,
  type EndedElsewhere,
  type JoinedCaller,
  type SentMessage,
  type SharedAnswer,
  type SharedNews,
  type SpentElsewhere,
  type StateChange,
  type SubAgentTask,
} from './caller-messages.ts'
import { sharedGuards } from './shared-guards.ts'
import type { WorkHere } from './work-here.ts'

const nobodyWaits = (): TurnbuckleError => new TurnbuckleError(callerLeft, 'Nobody waits for this sub-agent here.')

interface DeskOptions {
  readonly caller: TurnState
  /** Leads to the turns above the caller, where another process has them. */
  readonly above: WorkHere | undefined
  /** The call, and the sub-agent that works for it. */
  readonly called: Pick<StartedSubAgent, 'callId' | 'agent' | 'agentConversationId'>
  readonly task: SubAgentTask
  readonly signal: AbortSignal
}

/** The caller's side of a sub-agent that another process works on: it has the states, counts the usage, and has people asked. */
export class CallerDesk {
  /** Resolves when nobody waits here any more: the caller is over, or has lost its own. */
  readonly left: Promise<void>
  readonly #options: DeskOptions
  readonly #caller: TurnState
  readonly #above: WorkHere | undefined
  readonly #questions: AskedElsewhere
  readonly #started = new Set<string>()
  /** End what waits for an answer from above. */
  readonly #waiting = new Set<() => void>()
  /** The try that is heard: an engine may have given the work to another process since. */
  #by: string | undefined
  #last: { readonly n: number; readonly answer: Promise<SharedAnswer> } | undefined
  #spent: SpentElsewhere | undefined
  #turnId: string | undefined
  #ended: EndedElsewhere | undefined

  constructor(options: DeskOptions) {
    const { caller, above } = options
    this.#options = options
    this.#caller = caller
    this.#above = above
    this.#questions = new AskedElsewhere(caller, above?.requests)
    const lost = above?.shared.lost.then(() => this.#tellLeft('its caller was lost'))
    this.left = (lost ? Promise.race([caller.settled, lost]) : caller.settled).then(() => {
      for (const end of this.#waiting) end()
    })
  }

  get ended(): EndedElsewhere | undefined {
    return this.#ended
  }

  async hear(message: SentMessage): Promise<unknown> {
    if (this.#isLeft) throw nobodyWaits()
    if (message.type === 'join') this.#begin(message.by)
    if (message.by !== this.#by) throw nobodyWaits()
    const { topmost } = this.#caller
    const { requests } = topmost.conversation
    switch (message.type) {
      case 'join':
        return this.#joined()
      case 'share':
        return this.#share(message)
      case 'ask':
        return this.#questions.ask(message).then(asked => {
          // Left meanwhile, it has ended its questions unanswered: whoever goes on with it asks them again.
          if (this.#isLeft) throw nobodyWaits()
          return asked
        })
      case 'answer':
        await requests.answer(message.id, message.answer, message.options)
        return null
      case 'expire':
        requests.expire(message.id, topmost.id)
        return null
      default:
        return message satisfies never
    }
  }

  get #isLeft(): boolean {
    return this.#caller.over || this.#above?.shared.isLost === true
  }

  #begin(by: string): void {
    if (this.#by !== undefined && this.#by !== by && this.#turnId !== undefined) this.#tellLeft('its worker was lost')
    this.#by = by
    this.#last = undefined
    this.#bill(0)
  }
  /** Nothing runs for the call any more, as far as this process knows: who follows the caller hears that the turn of its sub-agent was left. */
  #tellLeft(reason: string): void {
    if (this.#caller.over) return
    const { called } = this.#options
    const at = this.#caller.conversation.clock.now()
    const [conversationId, turnId] = [called.agentConversationId, this.#turnId]
    const event = { type: 'turn.parked', conversationId, turnId, at, reason }
    const news = ownEvent({ type: 'agent.event', ...called, event })
    this.#caller.conversation.tell(news, this.#caller, 'passing')
  }
  #joined(): JoinedCaller {
    const { depth, deepest, topmost } = this.#caller
    const { client } = topmost.link
    return { ...this.#now(), ...this.#options.task, depth, deepest, client, waited: topmost.replay.waited }
  }
  #now(): CallerNow {
    const { signal } = this.#options
    const { id: turnId, spent } = this.#caller
    const states = sharedGuards(this.#caller).map(owner => [owner.name, middlewareState(this.#caller, owner)])
    const own = { turnId, states: Object.fromEntries(states), usage: spent.usage }
    return {
      levels: [own, ...(this.#above?.shared.now ?? [])],
      ...(signal.aborted ? { interrupted: messageOf(signal.reason) } : {}),
    }
  }

  /** News that comes twice counts once: its answer was lost, or it was late, and nobody waits for its answer any more. */
  #share({ n, ...news }: SharedNews & { readonly n: number }): Promise<SharedAnswer> {
    if (!this.#last || n > this.#last.n) this.#last = { n, answer: this.#answer(news) }
    return this.#last.answer
  }
  async #answer(news: SharedNews): Promise<SharedAnswer> {
    const refused = this.#take(news)
    const above = this.#above && (await this.#untilLeft(this.#tellAbove(this.#above, news.changes)))
    return { ...this.#now(), refused: [...refused, ...(above ?? [])] }
  }
  /** Gives the places of the changes that are refused here. */
  #take({ events, spent, changes, ended }: SharedNews): readonly number[] {
    for (const event of events) this.#tell(event)
    if (spent) this.count(spent)
    const refused = changes.flatMap((change, place) => (this.#change(change) ? [] : [place]))
    if (changes.length) this.#caller.stateLog.flush()
    if (ended && !this.#ended) this.#caller.steering.list(...ended.decisions)
    this.#ended ??= ended
    return refused
  }
  /** Those above hear of it before the sub-agent goes on. Gives the places of the changes that they refuse. */
  async #tellAbove({ shared }: WorkHere, changes: readonly StateChange[]): Promise<readonly number[]> {
    const theirs = changes.map((change, place) => ({ change, place })).filter(({ change }) => !this.#isOwn(change))
    if (!theirs.length) return shared.share().then(() => [])
    const refused = await shared.relay(theirs.map(({ change }) => change))
    return theirs.filter((_, i) => refused.includes(i)).map(({ place }) => place)
  }
  /** One that is gone never answers. */
  #untilLeft<Result>(told: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const end = () => reject(nobodyWaits())
      this.#waiting.add(end)
      const isOver = () => this.#waiting.delete(end)
      void told.then(resolve, reject).then(isOver)
    })
  }
  #tell(event: Event): void {
    const { seq: _, at: __, conversationId: ___, turnId: ____, ...told } = event as Event & { turnId?: string }
    if (event.type === 'agent.event')
      return void this.#caller.conversation.tell(ownEvent(told), this.#caller, 'passing')
    const key = canonicalJson(told)
    if (this.#started.has(key)) return
    this.#started.add(key)
    if (event.type === 'agent.started') this.#turnId = (told as unknown as StartedSubAgent).agentTurnId
    this.#caller.tell(ownEvent(told))
  }
  #isOwn({ turnId }: StateChange): boolean {
    return turnId === this.#caller.id
  }
  /** False where the change is refused here. */
  #change(change: StateChange): boolean {
    if (!this.#isOwn(change)) return true
    const { name, before, value } = change
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
    if (unbilled !== before)
      for (let at: TurnState | undefined = this.#caller; at; at = at.parent) at.spent.bill(unbilled - before)
    if (this.#spent) this.#spent = { ...this.#spent, unbilled }
  }
}
