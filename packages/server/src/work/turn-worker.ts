import { type Agent, type Conversation, type Turn, TurnbuckleError } from 'turnbuckle'
import type { ConversationSettings } from 'turnbuckle/client'
import {
  type CommandAnswer,
  type ConversationStore,
  type SharedTurns,
  shareTurns,
  type TurnCommand,
} from 'turnbuckle/stores'
import { runSubAgentsBy } from 'turnbuckle/tools'
import { followSwitches } from '../access/follow-switches.ts'
import { ConversationIndex } from '../conversations/stored/conversation-index.ts'
import type {
  ScheduledOrder,
  SubAgentEngine,
  SubAgentOrder,
  SubAgentStand,
  TurnOrder,
  TurnStand,
} from '../conversations/turns/turn-runner.ts'
import { type Models, onlyModelOf } from '../settings/models.ts'
import { beginTurn } from './begin-turn.ts'
import { CalledElsewhere, replaceSubAgent, stopSubAgent, tellCaller } from './called-elsewhere.ts'
import { parkWhenIdle } from './park-when-idle.ts'
import { ScheduledTurns } from './scheduled-turns.ts'
import { SubAgentWork } from './sub-agent-work.ts'
import { useWorkerMiddleware } from './worker-middleware.ts'

export interface TurnWorkerOptions {
  readonly agent: Agent
  /** The agent's own store, which the servers share. */
  readonly store: ConversationStore
  /** The models that conversations choose from. Without them there is the agent's own. */
  readonly models?: Models
  /** Gives the sub-agents that turns call to workers, this one or others. Without it, or on a store without a channel, they run with their callers. */
  readonly subAgents?: SubAgentEngine
  /** Milliseconds that a turn waits for a person in this process before it is left to its log. One second by default. */
  readonly parkAfterMs?: number
}

/** Works on turns for an engine. It keeps nothing but the turns it works on now: an order says which, and the log has the rest. */
export interface TurnWorker {
  /**
   * Works on a turn until it has ended or waits for people. Rejects where it was cut off; the engine then gives the order to a worker
   * again, this one or another. An order that this worker has already is joined.
   */
  work(order: TurnOrder): Promise<TurnStand>
  /**
   * Works on a sub-agent for a turn that a worker has, until it has ended or nobody waits for it. As `work`, one order at a time for a
   * conversation, and again until it has resolved.
   */
  workForCaller(order: SubAgentOrder): Promise<SubAgentStand>
  /** The order of a schedule's turn behind this one, to be kept for its time; `undefined` where there is none, or the schedule was cancelled. */
  next(order: ScheduledOrder): Promise<ScheduledOrder | undefined>
  /** The number of turns that are worked on now, those of sub-agents for other turns included. */
  readonly running: number
  /** Leaves all turns to their logs, for other workers. */
  close(): Promise<void>
}

/**
 * Makes a worker. Contract with the engine: it gives the orders of one conversation one at a time, and gives an order again until `work`
 * has resolved for it. The store's lease refuses a second writer where the engine is wrong.
 */
export const createTurnWorker = (options: TurnWorkerOptions): TurnWorker => new LogWorker(options)

const keyOf = ({ conversationId, turnId }: Pick<TurnOrder, 'conversationId' | 'turnId'>): string =>
  JSON.stringify([conversationId, turnId])

class LogWorker implements TurnWorker {
  readonly #agent: Agent
  readonly #store: ConversationStore
  readonly #index: ConversationIndex
  readonly #scheduled: ScheduledTurns
  readonly #parkAfterMs: number
  readonly #running = new Map<string, Promise<TurnStand>>()
  readonly #forCallers = new Map<string, Promise<SubAgentStand>>()
  /** Settings of conversations whose turn begins here. */
  readonly #settings = new Map<string, ConversationSettings>()
  readonly #shared: SharedTurns
  readonly #called: CalledElsewhere | undefined
  readonly #subAgents: SubAgentWork
  readonly #forget: () => void
  /** Middleware that people switch at a server is switched here too, from the first turn on. */
  #switches: Promise<() => void> | undefined

  constructor({ agent, store, models = onlyModelOf(agent), parkAfterMs = 1000, subAgents }: TurnWorkerOptions) {
    this.#agent = agent
    this.#store = store
    this.#index = new ConversationIndex(store)
    this.#scheduled = new ScheduledTurns(store)
    this.#parkAfterMs = parkAfterMs
    this.#shared = shareTurns(store, { onCommand: (id, command) => this.#obey(id, command) })
    const shared = () => this.#shared
    // Without a channel a worker could not reach the caller of a sub-agent.
    this.#called = subAgents && store.channel && new CalledElsewhere(subAgents, shared, () => this.#subAgents)
    this.#subAgents = new SubAgentWork({
      agent,
      store,
      shared,
      callHere: session => this.#called?.call(session),
      isCallerHere: caller => this.#running.has(keyOf(caller)),
    })
    const useMiddleware = useWorkerMiddleware({ agent, store, models, settingsOf: id => this.#settings.get(id) })
    const stopRunning = this.#called && runSubAgentsBy(agent, this.#called)
    this.#forget = () => {
      useMiddleware()
      stopRunning?.()
    }
  }

  get running(): number {
    return this.#running.size + this.#forCallers.size
  }
  work(order: TurnOrder): Promise<TurnStand> {
    const key = keyOf(order)
    const known = this.#running.get(key)
    if (known) return known
    const work = this.#work(order).finally(() => {
      this.#running.delete(key)
      this.#settings.delete(order.conversationId)
    })
    this.#running.set(key, work)
    return work
  }
  workForCaller(order: SubAgentOrder): Promise<SubAgentStand> {
    const { session } = order
    const known = this.#forCallers.get(session)
    if (known) return known
    const work = this.#followSwitches()
      .then(() => this.#subAgents.work(order))
      .finally(() => this.#forCallers.delete(session))
    this.#forCallers.set(session, work)
    return work
  }
  next(order: ScheduledOrder): Promise<ScheduledOrder | undefined> {
    return this.#scheduled.next(order)
  }
  /** Obeys what workers on sub-agents and on their callers say to each other. */
  #obey(conversationId: string, command: TurnCommand): Promise<CommandAnswer> | undefined {
    if (command.type === tellCaller) return this.#called?.obey(command)
    const { session, reason } = command as { readonly session?: unknown; readonly reason?: string }
    const isDone =
      (command.type === stopSubAgent && this.#subAgents.stop(String(session), reason)) ||
      (command.type === replaceSubAgent && this.#subAgents.replace(conversationId, String(session)))
    return isDone ? Promise.resolve({ value: null }) : undefined
  }
  async close(): Promise<void> {
    this.#subAgents.close()
    await this.#agent.close()
    await this.#switches?.then(
      stop => stop(),
      () => {},
    )
    this.#shared.close()
    this.#forget()
  }

  async #work(order: TurnOrder): Promise<TurnStand> {
    const { conversationId, turnId } = order
    const end = await this.#endOf(order)
    if (end) return end
    await this.#followSwitches()
    if (!(await this.#index.find(conversationId))) return { state: 'gone', reason: 'The conversation was deleted.' }
    const conversation = await this.#agent.open(conversationId)
    // Servers follow the turn, interrupt it and interject through the store's channel.
    const carry = (turn: Turn) => this.#shared.carry(conversation, turn)
    const resumed = this.#agent.resume(conversationId, turnId)
    if (resumed) carry(resumed)
    const begun = resumed ? { turn: resumed } : await this.#begin(conversation, order, carry)
    if ('state' in begun) return begun
    const isParked = await parkWhenIdle(begun.turn, conversation, this.#parkAfterMs)
    return isParked ? this.#waiting(order) : this.#ended(begun.turn, order)
  }
  async #begin(conversation: Conversation, given: TurnOrder, carry: (turn: Turn) => void) {
    const order = await this.#scheduled.withStart(given)
    const { conversationId, start } = order
    if (start?.settings) this.#settings.set(conversationId, start.settings)
    const begun = await beginTurn(conversation, order, carry)
    // A schedule that stays behind is left out of lists, since the log has its turn.
    if ('turn' in begun) void begun.turn.began.then(() => this.#scheduled.noteBegun(order)).catch(() => {})
    return begun
  }
  /** Throws where the store does not answer: the engine then tries again. */
  async #followSwitches(): Promise<void> {
    this.#switches ??= followSwitches(this.#agent, this.#store)
    const awaited = this.#switches
    try {
      await awaited
    } catch (error) {
      // Another turn may have begun anew since.
      if (this.#switches === awaited) this.#switches = undefined
      throw error
    }
  }
  /** The turn's end, if the log has it. */
  async #endOf({ conversationId, turnId }: TurnOrder): Promise<TurnStand | undefined> {
    const [row] = await this.#store.turns({ conversation: conversationId, id: turnId })
    return row && row.status !== 'open' ? { state: 'ended', status: row.status } : undefined
  }
  /** Throws where the log has no end: the turn was cut off, and the engine tries again. */
  async #ended(turn: Turn, order: TurnOrder): Promise<TurnStand> {
    const { error, reason } = await turn.settled
    const end = await this.#endOf(order)
    if (end) return end
    throw error ?? new TurnbuckleError('turn.cut', `The turn was cut off: ${reason}`)
  }
  async #waiting({ conversationId, turnId }: TurnOrder): Promise<TurnStand> {
    const open = await this.#store.requests({ conversation: conversationId })
    const requests = open.filter(({ turn }) => turn === turnId).map(({ id, deadline }) => ({ id, deadline }))
    return { state: 'waiting', requests }
  }
}
