import { TurnbuckleError } from 'turnbuckle'
import type { SharedTurns, TurnCommand } from 'turnbuckle/stores'
import type { SubAgentCall, SubAgentRunner } from 'turnbuckle/tools'
import type { SubAgentEngine } from '../conversations/turns/turn-runner.ts'

/** The command that a worker on a sub-agent sends to the one that has its caller, and that which goes the other way. */
export const tellCaller = 'own.sub-agent.tell'
export const stopSubAgent = 'own.sub-agent.stop'
/** The command to whoever still works on a sub-agent for an order before this one: that caller is gone. */
export const replaceSubAgent = 'own.sub-agent.replace'

/** Times that a sub-agent is told to stop: one that has not heard it notices by itself, later. */
const stopTries = 5
const orderAgainMs = 100

/** The answer to a worker on a sub-agent: its order is of a process that has lost the caller since. */
export const nobodyWaits = (): TurnbuckleError =>
  new TurnbuckleError('caller.left', 'Nobody waits for this sub-agent here.')

/** The sub-agents that this very process works on. */
interface WorkHere {
  stop(session: string, reason: string | undefined): boolean
  replace(conversationId: string, session: string): boolean
}

/** The sub-agents that turns of this worker have called, and that an engine has given to a worker. */
export class CalledElsewhere implements SubAgentRunner {
  readonly #engine: SubAgentEngine
  readonly #shared: () => SharedTurns
  readonly #here: () => WorkHere
  readonly #calls = new Map<string, SubAgentCall>()

  constructor(engine: SubAgentEngine, shared: () => SharedTurns, here: () => WorkHere) {
    this.#engine = engine
    this.#shared = shared
    this.#here = here
  }

  /** The call of an order that was given here. */
  call(session: string): SubAgentCall | undefined {
    return this.#calls.get(session)
  }
  /** Obeys a worker that works on a sub-agent for a turn of this one. */
  async obey({ session, message }: Extract<TurnCommand, { type: `own.${string}` }>): Promise<{ value: unknown }> {
    const call = this.#calls.get(String(session))
    if (!call) throw nobodyWaits()
    return { value: await call.hear(message) }
  }

  async run(call: SubAgentCall): Promise<void> {
    let isLeft = false
    void call.left.then(() => {
      isLeft = true
    })
    while (!isLeft) {
      const stand = await this.#order(call)
      if (stand.state === 'ended') return
      if (stand.state === 'gone') throw new TurnbuckleError('agent.unknown', stand.reason)
      await new Promise(resolve => setTimeout(resolve, orderAgainMs))
    }
  }
  async #order(call: SubAgentCall) {
    const { conversationId, caller, signal } = call
    const session = crypto.randomUUID()
    const over = new AbortController()
    let isOver = false
    const onAbort = () => void this.#stop(session, call, String(signal.reason ?? 'aborted'))
    this.#calls.set(session, call)
    signal.addEventListener('abort', onAbort, { once: true })
    void call.left.then(() => {
      if (isOver) return
      if (!signal.aborted) void this.#stop(session, call, undefined)
      over.abort()
    })
    if (!this.#here().replace(conversationId, session))
      void this.#shared()
        .ask(conversationId, { type: replaceSubAgent, session })
        .catch(() => {})
    try {
      return await this.#engine.workForCaller({ conversationId, caller, session }, over.signal)
    } finally {
      isOver = true
      signal.removeEventListener('abort', onAbort)
      this.#calls.delete(session)
    }
  }
  /** Has the sub-agent interrupted, or, without a reason, left to its log. */
  async #stop(session: string, { conversationId }: SubAgentCall, reason: string | undefined): Promise<void> {
    for (let i = 0; i < stopTries; i++) {
      if (this.#here().stop(session, reason)) return
      const command = { type: stopSubAgent, session, reason } as const
      if (
        await this.#shared()
          .ask(conversationId, command)
          .catch(() => undefined)
      )
        return
    }
  }
}
