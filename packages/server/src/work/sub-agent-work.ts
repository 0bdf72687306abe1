import { type Agent, TurnbuckleError } from 'turnbuckle'
import type { ConversationStore, SharedTurns } from 'turnbuckle/stores'
import {
  interruptForCaller,
  type SubAgentCall,
  type SubAgentCaller,
  type TellCaller,
  type WorkForCaller,
  workForCaller,
} from 'turnbuckle/tools'
import type { SubAgentOrder, SubAgentStand } from '../conversations/turns/turn-runner.ts'
import { nobodyWaits, tellCaller } from './called-elsewhere.ts'
import { IdleWatch } from './idle-watch.ts'

export interface SubAgentWorkOptions {
  readonly agent: Agent
  readonly store: ConversationStore
  readonly shared: () => SharedTurns
  /** The call of an order that a turn of this very process has given. */
  readonly callHere: (session: string) => SubAgentCall | undefined
  /** True where this very process works on the turn of a call, and nobody has called that. */
  readonly isCallerHere: (caller: SubAgentCaller) => boolean
}

const callerEnded = 'its caller has ended'

/** The sub-agents that this worker works on for turns of other workers. */
export class SubAgentWork {
  readonly #options: SubAgentWorkOptions
  readonly #works = new Map<string, WorkForCaller>()

  constructor(options: SubAgentWorkOptions) {
    this.#options = options
  }

  /** Interrupts the work on an order, or, without a reason, leaves it to its log. False where it is not here. */
  stop(session: string, reason: string | undefined): boolean {
    const work = this.#works.get(session)
    if (reason === undefined) work?.hangUp()
    else work?.turn.interrupt(reason)
    return work !== undefined
  }
  /** Leaves a conversation that is worked on for another order than this: whoever gave that is gone. False where there is none here. */
  replace(conversationId: string, session: string): boolean {
    const others = [...this.#works].filter(([of, { turn }]) => turn.conversationId === conversationId && of !== session)
    for (const [, work] of others) work.hangUp()
    return others.length > 0
  }
  /** Leaves all to their logs. */
  close(): void {
    for (const { turn } of this.#works.values()) turn.park()
  }

  async work(order: SubAgentOrder): Promise<SubAgentStand> {
    const { agent, shared } = this.#options
    const { conversationId, caller, session } = order
    const work = await workForCaller({
      agent,
      conversationId,
      caller,
      by: crypto.randomUUID(),
      tell: this.#teller(order),
    })
    if ('state' in work) {
      if (work.state === 'left' && (await this.#isCallerOver(order)))
        await interruptForCaller({ agent, ...order }, callerEnded)
      return work
    }
    this.#works.set(session, work)
    shared().carry(work.conversation, work.turn)
    const isLeft = this.#leaveWhenLost(work, order)
    await work.done.finally(() => this.#works.delete(session))
    const [row] = await this.#options.store.turns({ conversation: conversationId, id: work.turn.id })
    if (row && row.status !== 'open') return { state: 'ended' }
    if (isLeft()) return { state: 'left' }
    const { error, reason } = await work.turn.settled
    throw error ?? new TurnbuckleError('turn.cut', `The sub-agent was cut off: ${reason}`)
  }
  #teller({ session, caller }: SubAgentOrder): TellCaller {
    return async message => {
      const here = this.#options.callHere(session)
      if (here) return { value: await here.hear(message) }
      // The order is of a process that had the caller before, and is gone: no other would answer for the caller.
      if (this.#options.isCallerHere(caller) || this.#isAtWorkOn(caller)) throw nobodyWaits()
      return this.#options.shared().ask(caller.conversationId, { type: tellCaller, session, message })
    }
  }
  #isAtWorkOn({ conversationId, turnId }: SubAgentCaller): boolean {
    return [...this.#works.values()].some(({ turn }) => turn.id === turnId && turn.conversationId === conversationId)
  }

  /** A sub-agent whose caller is gone is left once none of its calls runs; one whose caller has ended is interrupted. */
  #leaveWhenLost({ conversation, turn, lost }: WorkForCaller, order: SubAgentOrder): () => boolean {
    let isLeft = false
    const watch = new IdleWatch()
    const look = () => {
      if (isLeft && watch.isIdle && !turn.ended) turn.park()
    }
    const stop = conversation.subscribe(event => {
      watch.hear(event)
      look()
    })
    void turn.settled.then(stop)
    void lost.then(async () => {
      // A store that does not answer says nothing: the next who works on it looks again.
      if (await this.#isCallerOver(order).catch(() => false)) return turn.interrupt(callerEnded)
      await turn.began
      isLeft = true
      look()
    })
    return () => isLeft
  }
  async #isCallerOver({ caller }: SubAgentOrder): Promise<boolean> {
    const [row] = await this.#options.store.turns({ conversation: caller.conversationId, id: caller.turnId })
    return row !== undefined && row.status !== 'open'
  }
}
