import { type Agent, type Conversation, type Turn, TurnbuckleError } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { isTurnbuckleError } from '../base/is-turnbuckle-error.ts'
import { ConversationIndex } from '../conversations/conversation-index.ts'
import type { TurnOrder, TurnStand } from '../conversations/turn-runner.ts'
import { IdleWatch } from './idle-watch.ts'

export interface TurnWorkerOptions {
  readonly agent: Agent
  /** The agent's own store, which the servers share. */
  readonly store: ConversationStore
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
  /** The number of turns that are worked on now. */
  readonly running: number
  /** Leaves all turns to their logs, for other workers. */
  close(): Promise<void>
}

/** A turn is awaited as it is: a promise of one would be a promise of its result. */
interface Begun {
  readonly turn: Turn
}

/** Codes of turns that can never begin, however often they are tried. */
const hopeless = ['message.missing', 'message.empty', 'conversation.deleted']

/**
 * Makes a worker. Contract with the engine: it gives the orders of one conversation one at a time, and gives an order again until `work`
 * has resolved for it. The store's lease refuses a second writer where the engine is wrong.
 */
export function createTurnWorker({ agent, store, parkAfterMs = 1000 }: TurnWorkerOptions): TurnWorker {
  const index = new ConversationIndex(store)
  const running = new Map<string, Promise<TurnStand>>()

  async function workThrough(order: TurnOrder): Promise<TurnStand> {
    const { conversationId, turnId } = order
    const status = await statusOf(order)
    if (status !== undefined && status !== 'open') return { state: 'ended', status }
    if (!(await index.isServerMade(conversationId))) return { state: 'gone', reason: 'The conversation was deleted.' }
    const conversation = await agent.open(conversationId)
    const resumed = agent.resume(conversationId, turnId)
    const begun = resumed ? { turn: resumed } : await begin(conversation, order)
    if ('state' in begun) return begun
    const { turn } = begun
    if (await isLeft(turn, conversation)) return waitingIn(order)
    return endOf(turn, order)
  }

  async function statusOf({ conversationId, turnId }: TurnOrder): Promise<string | undefined> {
    const [row] = await store.turns({ conversation: conversationId, id: turnId })
    return row?.status
  }

  /** The end that the log has. Throws where it has none: the turn was cut off, and the engine tries again. */
  async function endOf(turn: Turn, order: TurnOrder): Promise<TurnStand> {
    const { error, reason } = await turn.settled
    const status = await statusOf(order)
    if (status !== undefined && status !== 'open') return { state: 'ended', status }
    throw error ?? new TurnbuckleError('turn.cut', `The turn was cut off: ${reason}`)
  }

  async function begin(conversation: Conversation, order: TurnOrder): Promise<Begun | TurnStand> {
    const { start, turnId: id } = order
    if (!start) return { state: 'gone', reason: 'The log does not have the turn.' }
    const { message, parentId, tag, client } = start
    try {
      if (parentId !== undefined) await conversation.load()
      const handle = parentId === undefined ? conversation : conversation.fork(parentId)
      const options = { id, tag, ...(client ? { client } : {}) }
      return { turn: message ? handle.send(message, options) : handle.continue(options) }
    } catch (error) {
      if (!isTurnbuckleError(error) || !hopeless.includes(error.code)) throw error
      return { state: 'gone', reason: error.message }
    }
  }

  /** Resolves with true once the turn was left to its log because it only waits for people; with false when it has settled. */
  function isLeft(turn: Turn, conversation: Conversation): Promise<boolean> {
    const watch = new IdleWatch()
    let timer: ReturnType<typeof setTimeout> | undefined
    return new Promise<boolean>(resolve => {
      const look = () => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          const waits = turn.requests.length > 0 && watch.isIdle
          if (!waits) return
          turn.park()
          resolve(true)
        }, parkAfterMs)
      }
      const stop = conversation.subscribe(event => {
        watch.hear(event)
        look()
      })
      look()
      void turn.settled.then(() => {
        stop()
        clearTimeout(timer)
        resolve(false)
      })
    })
  }

  async function waitingIn({ conversationId, turnId }: TurnOrder): Promise<TurnStand> {
    const open = await store.requests({ conversation: conversationId })
    const requests = open.filter(({ turn }) => turn === turnId).map(({ id, deadline }) => ({ id, deadline }))
    return { state: 'waiting', requests }
  }

  return {
    work(order) {
      const key = JSON.stringify([order.conversationId, order.turnId])
      const known = running.get(key)
      if (known) return known
      const work = workThrough(order).finally(() => running.delete(key))
      running.set(key, work)
      return work
    },
    get running() {
      return running.size
    },
    close: () => agent.close(),
  }
}
