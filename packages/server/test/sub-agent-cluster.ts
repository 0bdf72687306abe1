import { type Agent, agentTool, createAgent, type Event, type Model, tool } from 'turnbuckle'
import { createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { channelHub, type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { onTestFinished } from 'vitest'
import { ConversationIndex } from '../src/conversations/stored/conversation-index.ts'
import type { SubAgentOrder, SubAgentStand, TurnOrder } from '../src/conversations/turns/turn-runner.ts'
import { createTurnWorker, type TurnWorker } from '../src/work/turn-worker.ts'

export interface Process {
  readonly agent: Agent
  readonly worker: TurnWorker
}
export interface Made {
  readonly model?: Model
  readonly helper?: Model
  /** The model of the helper's own sub-agent. */
  readonly lower?: Model
  readonly mark?: (name: string, signal: AbortSignal) => unknown
  readonly needsApproval?: boolean
  readonly use?: Parameters<typeof createAgent>[0]['use']
  /** The process's own way to the store. */
  readonly through?: (driver: Driver) => Driver
}

export const order: TurnOrder = {
  conversationId: 'c',
  turnId: 't1',
  start: { message: { role: 'user', content: [{ type: 'text', text: 'Go' }] } },
}
export const helps = (count = 1): ScriptedStep => ({
  calls: Array.from({ length: count }, (_, i) => ({ name: 'helper', id: `h${i}`, args: { task: 'Mark' } })),
})
export const asksBelow: ScriptedStep = { calls: [{ name: 'lower', id: 'l0', args: { task: 'Mark' } }] }
export const marks: ScriptedStep = { calls: [{ name: 'mark', id: 'm0' }], usage: { inputTokens: 5, outputTokens: 2 } }

/** Workers on one store, and an engine that gives every sub-agent to the worker that `next` names. */
export async function cluster() {
  const hub = channelHub()
  const { driver } = memoryStore()
  await new ConversationIndex(createStore(driver)).put('c', { owner: 'me', createdAt: 1 })
  const engine = { next: (_: SubAgentOrder): Process | undefined => undefined, orders: [] as SubAgentOrder[] }
  const make = (made: Made) => {
    const { model = scriptedModel([]), helper, lower, mark = () => 'marked', needsApproval, use, through } = made
    const store = createStore(through?.(driver) ?? driver, { channel: hub.join(), waitMs: 100 })
    const marking = tool({
      name: 'mark',
      needsApproval: needsApproval ?? false,
      run: (_, { signal, conversation }) => mark(conversation.id, signal),
    })
    const lowest = createAgent({ name: 'lower', model: lower ?? scriptedModel([]), store, tools: [marking] })
    const tools = [marking, agentTool(lowest, { name: 'lower' })]
    const sub = createAgent({ name: 'helper', model: helper ?? scriptedModel([]), store, tools })
    const agent = createAgent({ model, store, tools: [agentTool(sub, { name: 'helper' })], ...(use ? { use } : {}) })
    return { agent, store }
  }
  /** A process without a worker, a server for one: sub-agents of turns that it goes on with run in it. */
  const server = (made: Made): Agent => {
    const { agent } = make(made)
    onTestFinished(() => agent.close())
    return agent
  }
  const process = (made: Made): Process => {
    const { agent, store } = make(made)
    const subAgents = {
      async workForCaller(given: SubAgentOrder): Promise<SubAgentStand> {
        engine.orders.push(given)
        for (;;)
          try {
            return (await engine.next(given)?.worker.workForCaller(given)) ?? { state: 'left' }
          } catch {
            // An engine gives an order that was cut off to a worker again.
          }
      },
    }
    const worker = createTurnWorker({ agent, store, parkAfterMs: 0, subAgents })
    onTestFinished(() => worker.close())
    return { agent, worker }
  }
  const events = async (id: string): Promise<readonly Event[]> => createStore(driver).events(id)
  return { process, server, engine, events, store: createStore(driver), driver, hub }
}
