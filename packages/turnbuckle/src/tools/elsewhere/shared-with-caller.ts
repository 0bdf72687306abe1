import { freezePlain } from '../../core/base/plain-data.ts'
import type { Usage } from '../../core/base/ports.ts'
import { minus, noUsage, plus } from '../../core/base/usage-sums.ts'
import type { Event } from '../../core/events/events.ts'
import { middlewareState, putMiddlewareState } from '../../core/hooks/middleware-state.ts'
import type { Middleware } from '../../core/types/middleware.ts'
import type { Turn } from '../../core/types/turn.ts'
import type { CallerElsewhere, TurnState } from '../../core/types/turn-state.ts'
import type { CallerLine } from './caller-line.ts'
import type { CallerNow, EndedElsewhere, SharedAnswer } from './caller-messages.ts'
import { isShared, sharedGuards } from './shared-guards.ts'

/** A call of a before hook: what it changes before it first waits is one decision. */
interface Attempt {
  /** False once the hook has asked a person: it is not called again. */
  mayRepeat: boolean
  isRefused: boolean
}
interface Change {
  readonly apply: (state: never) => unknown
  readonly attempt: Attempt | undefined
}
interface ChangedState {
  /** The caller's state that the changes begin from. */
  base: unknown
  changes: readonly Change[]
}
interface Sent {
  readonly owner: Middleware
  readonly count: number
}

const heartbeatMs = 2000
/** Characters of events that one message takes. */
const messageRoom = 200_000

/** An event that is too long for a message, as those who follow the caller hear it: the sub-agent's log has the rest. */
function shortened(event: Event): Event {
  if (event.type !== 'agent.event' || JSON.stringify(event).length < messageRoom) return event
  const { type, conversationId, at, seq, turnId, callId, messageId } = event.event as Event & Record<string, string>
  return { ...event, event: { type, conversationId, at, seq, turnId, callId, messageId } as unknown as Event }
}

/** All that a sub-agent's turn shares with its caller in another process: states of guards, usage, events. The caller has the say. */
export class SharedWithCaller implements CallerElsewhere {
  readonly waited: boolean
  readonly #line: CallerLine
  readonly #changed = new Map<Middleware, ChangedState>()
  readonly #attempts = new Set<Attempt>()
  #attempt: Attempt | undefined
  #events: Event[] = []
  /** True once the sub-agent's log has its turn: one that is lost before is begun anew, as another turn, and the caller hears of that alone. */
  #isLogged = false
  #shadow: TurnState | undefined
  #turn: Turn | undefined
  #sentUsage: Usage = noUsage
  #n = 0
  #underWay: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #heartbeat: ReturnType<typeof setInterval> | undefined

  constructor(line: CallerLine, waited: boolean) {
    this.#line = line
    this.waited = waited
  }

  /** `shadow` stands for the caller here. */
  begin(shadow: TurnState, now: CallerNow): void {
    this.#shadow = shadow
    this.#take(now)
  }
  /** `isResumed`: the log has the turn from before. */
  follow(turn: Turn, isResumed: boolean): void {
    this.#turn = turn
    this.#isLogged ||= isResumed
    this.#heartbeat = setInterval(() => this.#shareSoon(), heartbeatMs)
    this.#heartbeat.unref?.()
  }
  /** Tells the end, for as long as the caller listens. */
  async end(ended: EndedElsewhere): Promise<void> {
    clearInterval(this.#heartbeat)
    if (!this.#line.isLost) await Promise.race([this.share(ended), this.#line.lost])
  }
  /** Nothing more is told. */
  stop(): void {
    clearInterval(this.#heartbeat)
    this.#line.end()
  }

  tell(event: Event): void {
    this.#events.push(shortened(event))
    // A sub-agent's events are told when its log has them.
    this.#isLogged ||= event.type === 'agent.event'
    if (this.#isLogged) this.#shareSoon()
  }
  /** A hook has asked a person. Whichever it is, hooks that run now are not called again. */
  noteAsked(): void {
    for (const attempt of this.#attempts) attempt.mayRepeat = false
  }

  async decide(owner: Middleware, hook: () => unknown): Promise<unknown> {
    if (!isShared(owner) || !this.#shadow?.hooks.has(owner)) return hook()
    for (;;) {
      await this.share()
      const attempt: Attempt = { mayRepeat: true, isRefused: false }
      this.#attempts.add(attempt)
      const returned = await this.#call(attempt, hook).finally(() => this.#attempts.delete(attempt))
      while (this.#changed.get(owner)?.changes.length) await this.share()
      if (!attempt.isRefused) return returned
    }
  }
  async #call(attempt: Attempt, hook: () => unknown): Promise<unknown> {
    this.#attempt = attempt
    try {
      const returned = hook()
      this.#attempt = undefined
      return await returned
    } catch (error) {
      attempt.mayRepeat = false
      throw error
    } finally {
      this.#attempt = undefined
    }
  }
  changed(owner: Middleware, apply: (state: never) => unknown, before: unknown): void {
    const known = this.#changed.get(owner) ?? { base: before, changes: [] }
    this.#changed.set(owner, { ...known, changes: [...known.changes, { apply, attempt: this.#attempt }] })
    if (!this.#attempt) this.#shareSoon()
  }
  /** A caller that refuses what it is told is noticed by who waits for it. */
  #shareSoon(): void {
    this.share().catch(() => {})
  }

  /** Tells the caller all that is new, and takes over what is new there. One exchange at a time; this one begins from now on. */
  share(ended?: EndedElsewhere): Promise<void> {
    if (ended || !this.#next) {
      const next: Promise<void> = this.#underWay.then(() => {
        if (this.#next === next) this.#next = undefined
        return this.#exchange(ended)
      })
      this.#next = next
      this.#underWay = next.catch(() => {})
    }
    return this.#next
  }
  async #exchange(ended: EndedElsewhere | undefined): Promise<void> {
    const shadow = this.#shadow
    if (!shadow) return
    const events = this.#nextEvents()
    const sent = [...this.#changed].map(([owner, { changes }]) => ({ owner, count: changes.length }))
    const changes = [...this.#changed].map(([owner, { base: before }]) => {
      return { name: owner.name, before, value: middlewareState(shadow, owner) }
    })
    const spent = this.#turn && { turnId: this.#turn.id, usage: this.#turn.usage, unbilled: shadow.spent.unbilled }
    const message = { type: 'share' as const, n: ++this.#n, events, spent, changes, ended }
    const answer = (await this.#line.send(message)) as SharedAnswer
    this.#events.splice(0, events.length)
    if (spent) this.#sentUsage = spent.usage
    this.#settle(sent, answer)
    this.#take(answer)
    if (this.#isLogged && this.#events.length) this.#shareSoon()
  }
  /** As many as fit into a message, in order; the others come with the next. They are kept until the caller has them. */
  #nextEvents(): readonly Event[] {
    if (!this.#isLogged) return []
    let room = messageRoom
    const count = this.#events.findIndex(event => {
      room -= JSON.stringify(event).length
      return room < 0
    })
    return this.#events.slice(0, count < 0 ? this.#events.length : Math.max(1, count))
  }
  #settle(sent: readonly Sent[], { refused }: SharedAnswer): void {
    for (const { owner, count } of sent) {
      const known = this.#changed.get(owner)
      if (!known) continue
      const [first, later] = [known.changes.slice(0, count), known.changes.slice(count)]
      const left = refused.includes(owner.name) ? [...first.filter(change => !this.#refuse(change)), ...later] : later
      if (left.length) this.#changed.set(owner, { ...known, changes: left })
      else this.#changed.delete(owner)
    }
  }
  /** True for a change whose hook is called again. All others are made once more, on the newest state. */
  #refuse({ attempt }: Change): boolean {
    if (!attempt?.mayRepeat) return false
    attempt.isRefused = true
    return true
  }
  #take({ states, usage, interrupted }: CallerNow): void {
    const shadow = this.#shadow as TurnState
    for (const owner of sharedGuards(shadow)) if (owner.name in states) this.#put(shadow, owner, states[owner.name])
    const since = this.#turn ? minus(this.#turn.usage, this.#sentUsage) : noUsage
    shadow.spent.setUsage(plus(usage, since))
    if (interrupted !== undefined) this.#turn?.interrupt(interrupted)
  }
  #put(shadow: TurnState, owner: Middleware, base: unknown): void {
    const known = this.#changed.get(owner)
    if (known) known.base = base
    const changes = known?.changes ?? []
    const state = changes.reduce((value, { apply }) => apply(value as never), base)
    putMiddlewareState(shadow, owner, freezePlain(state, `"${owner.name}": state`))
  }
}
