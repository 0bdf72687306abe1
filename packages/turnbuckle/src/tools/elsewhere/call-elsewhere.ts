import { agentCoreOf } from '../../core/agent/make-agent-handle.ts'
import type { NewMessage } from '../../core/base/message.ts'
import { ToolContext as CallContext } from '../../core/tools/run-tool.ts'
import type { Conversation } from '../../core/types/conversation.ts'
import type { ToolContext } from '../../core/types/tool-context.ts'
import type { TurnState } from '../../core/types/turn-state.ts'
import type { SubAgent } from '../sub-agent-turn.ts'
import { CallerDesk } from './caller-desk.ts'
import type { SentMessage } from './caller-messages.ts'
import { isLong, keepTask, valuesOf } from './long-task.ts'
import { runnerOf, type SubAgentRunner } from './sub-agent-runner.ts'
import { subAgentOf } from './sub-agents.ts'

/** A call of a sub-agent that can be worked on elsewhere. */
export interface ElsewhereCall {
  readonly sub: SubAgent
  readonly ctx: ToolContext
  readonly conversation: Conversation
  readonly message: string | NewMessage
  /** The sub-agent's turn of an earlier attempt. */
  readonly after: string | undefined
}

/** The runner of a call, where another process can work on it: with the same store, tools and words. */
export function runnerFor({ sub, ctx, message }: ElsewhereCall): SubAgentRunner | undefined {
  const caller = CallContext.turnOf(ctx)
  const runner = runnerOf(caller)
  const { store } = caller.agent
  if (!runner || (isLong(message) && !valuesOf(store))) return undefined
  const isOnSameStore = store !== undefined && agentCoreOf(sub.agent)?.store === store
  const called = caller.agent.tools.find(({ name }) => name === ctx.call.name)
  return isOnSameStore && subAgentOf(called)?.rules === sub.rules ? runner : undefined
}

/** Has the runner see to a call. Resolves when the sub-agent's log has the end; the desk knows what was told of it. */
export async function callElsewhere(runner: SubAgentRunner, call: ElsewhereCall): Promise<CallerDesk> {
  const { ctx, conversation, message, after } = call
  const caller = CallContext.turnOf(ctx)
  const signal = interruptOf(caller, ctx.signal)
  const kept = isLong(message) ? await keepTask(caller, message) : undefined
  const desk = new CallerDesk({ caller, message: kept ? undefined : message, taskKey: kept?.key, signal, after })
  const run = runner.run({
    conversationId: conversation.id,
    caller: { conversationId: caller.conversation.id, turnId: caller.id, callId: ctx.call.id, tool: ctx.call.name },
    signal,
    left: leftBy(caller),
    hear: said => desk.hear(said as SentMessage),
  })
  // One that stays behind ends with its day.
  await run.finally(() => kept?.forget().catch(() => {}))
  return desk
}

/** Aborted with the call, but for a turn that is left to its log: its sub-agent is then left too, and not interrupted. */
function interruptOf(caller: TurnState, signal: AbortSignal): AbortSignal {
  const interrupt = new AbortController()
  const look = () => {
    if (caller.phase !== 'parked' && !caller.steering.ending?.abandoned) interrupt.abort(signal.reason)
  }
  if (signal.aborted) look()
  else signal.addEventListener('abort', look, { once: true })
  return interrupt.signal
}

const leftBy = (caller: TurnState): Promise<void> => caller.settled.then(() => {})
