import type { Usage } from '../../core/base/ports.ts'
import { minus, noUsage } from '../../core/base/usage-sums.ts'
import type { Event } from '../../core/events/events.ts'
import type { Turn } from '../../core/types/turn.ts'
import type { CallerLine } from './caller-line.ts'
import type {
  CallerNow,
  EndedElsewhere,
  LevelNow,
  SharedAnswer,
  SpentElsewhere,
  StateChange,
} from './caller-messages.ts'
import { DecidingHooks } from './deciding-hooks.ts'
import { LevelStates } from './level-states.ts'

const heartbeatMs = 2000
/** Characters of events that one message takes. */
const messageRoom = 200_000

/** An event that is too long for a message, as those who follow the caller hear it: the sub-agent's log has the rest. */
function shortened(event: Event): Event {
  if (event.type !== 'agent.event' || JSON.stringify(event).length < messageRoom) return event
  const { type, conversationId, at, seq, turnId, callId, messageId } = event.event as Event & Record<string, string>
  return { ...event, event: { type, conversationId, at, seq, turnId, callId, messageId } as unknown as Event }
}

/** All that a sub-agent's turn shares with its caller in another process, and with those above: states of guards, usage, events. They have the say. */
export class SharedWithCaller {
  /** The caller first, the topmost turn last. */
  readonly levels: readonly LevelStates[]
  readonly #line: CallerLine
  readonly #hooks = new DecidingHooks()
  #events: Event[] = []
  /** True once the sub-agent's log has its turn: one that is lost before is begun anew, as another turn, and the caller hears of that alone. */
  #isLogged = false
  #turn: Turn | undefined
  #sentUsage: Usage = noUsage
  #n = 0
  #underWay: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined
  #heartbeat: ReturnType<typeof setInterval> | undefined

  /** `height`: the number of turns above. */
  constructor(line: CallerLine, { waited, height }: { readonly waited: boolean; readonly height: number }) {
    this.#line = line
    const options = { waited, hooks: this.#hooks, share: () => this.share() }
    this.levels = Array.from({ length: height }, () => new LevelStates(options))
  }

  /** Resolves when the caller is gone. */
  get lost(): Promise<void> {
    return this.#line.lost
  }
  get isLost(): boolean {
    return this.#line.isLost
  }
  /** Those above as they were last heard of. */
  get now(): readonly LevelNow[] {
    return this.levels.map(({ now }) => now)
  }

  /** Each level has its shadow. */
  begin(now: CallerNow): void {
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
    // A sub-agent's events are told when its log has them, but for those without a number: the end of a turn that could not begin is one.
    this.#isLogged ||= event.type === 'agent.event' && event.event.seq !== undefined
    if (this.#isLogged) this.#shareSoon()
  }
  /** A hook here has asked a person. */
  noteAsked(): void {
    this.#hooks.noteAsked()
  }
  /** A caller that refuses what it is told is noticed by who waits for it. */
  #shareSoon(): void {
    this.share().catch(() => {})
  }

  /** Tells the caller all that is new, and takes over what is new there. One exchange at a time; this one begins from now on. */
  share(ended?: EndedElsewhere): Promise<void> {
    if (ended || !this.#next) {
      const next: Promise<void> = this.#inTurn(async () => {
        if (this.#next === next) this.#next = undefined
        await this.#shareAll(ended)
      })
      this.#next = next
    }
    return this.#next
  }
  /** Takes changes of a sub-agent of this one to the turns above, as they are. Gives the places of those that were refused. */
  relay(changes: readonly StateChange[]): Promise<readonly number[]> {
    return this.#inTurn(() => this.#exchange({ changes, events: [] }))
  }
  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#underWay.then(act)
    this.#underWay = done.catch(() => {})
    return done
  }

  async #shareAll(ended: EndedElsewhere | undefined): Promise<void> {
    const sent = this.levels.flatMap(level => level.pending.map(one => ({ level, one })))
    const settle = (refused: readonly number[]) => {
      for (const [i, { level, one }] of sent.entries()) level.settle(one, refused.includes(i))
    }
    const changes = sent.map(({ one }) => one.change)
    await this.#exchange({ changes, events: this.#nextEvents(), ended, settle })
    if (this.#isLogged && this.#events.length) this.#shareSoon()
  }
  async #exchange({ changes, events, ended, settle }: Exchange): Promise<readonly number[]> {
    const spent = this.#spent()
    const message = { type: 'share' as const, n: ++this.#n, events, spent, changes, ended }
    const answer = (await this.#line.send(message)) as SharedAnswer
    this.#events.splice(0, events.length)
    if (spent) this.#sentUsage = spent.usage
    settle?.(answer.refused)
    this.#take(answer)
    return answer.refused
  }
  #spent(): SpentElsewhere | undefined {
    const [caller] = this.levels
    if (!this.#turn || !caller) return undefined
    return { turnId: this.#turn.id, usage: this.#turn.usage, unbilled: caller.shadow.spent.unbilled }
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
  #take({ levels, interrupted }: CallerNow): void {
    const since = this.#turn ? minus(this.#turn.usage, this.#sentUsage) : noUsage
    for (const level of this.levels) {
      const now = levels.find(({ turnId }) => turnId === level.shadow.id)
      if (now) level.take(now, since)
    }
    if (interrupted !== undefined) this.#turn?.interrupt(interrupted)
  }
}

interface Exchange {
  readonly changes: readonly StateChange[]
  readonly events: readonly Event[]
  readonly ended?: EndedElsewhere | undefined
  /** Called with the places of the refused changes, before the answer's states are taken over. */
  readonly settle?: (refused: readonly number[]) => void
}
