import { agentCoreOf } from '../../core/agent/make-agent-handle.ts'
import type { NewMessage } from '../../core/base/message.ts'
import { checkDepth } from '../../core/base/nesting-depth.ts'
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
import { workOf } from './work-here.ts'

/** A call of a sub-agent that can be worked on elsewhere. */
export interface ElsewhereCall {
  readonly sub: SubAgent
  readonly ctx: ToolContext
  readonly conversation: Conversation
  readonly message: string | NewMessage
  /** The sub-agent's turn of an earlier attempt. */
  readonly after: string | undefined
}

/** The runner of a call, where another process can work on it: with the same store, tools and words. Throws `agent.depth` where it would be nested too deep. */
export function runnerFor({ sub, ctx, message }: ElsewhereCall): SubAgentRunner | undefined {
  const caller = CallContext.turnOf(ctx)
  const runner = runnerOf(caller)
  const { store } = caller.agent
  if (!runner || (isLong(message) && !valuesOf(store))) return undefined
  const called = caller.agent.tools.find(({ name }) => name === ctx.call.name)
  const core = agentCoreOf(sub.agent)
  if (!core || !store || core.store !== store || subAgentOf(called)?.rules !== sub.rules) return undefined
  // An order that can never begin would be given again and again.
  checkDepth(caller.depth + 1, Math.min(core.maxDepth, caller.deepest))
  return runner
}

/** Has the runner see to a call. Resolves when the sub-agent's log has the end; the desk knows what was told of it. */
export async function callElsewhere(runner: SubAgentRunner, call: ElsewhereCall): Promise<CallerDesk> {
  const { sub, ctx, conversation, message, after } = call
  const caller = CallContext.turnOf(ctx)
  const above = workOf(caller)
  const signal = interruptOf(caller, ctx.signal)
  const kept = isLong(message) ? await keepTask(caller, message) : undefined
  const task = { message: kept ? undefined : message, taskKey: kept?.key, after }
  const called = { callId: ctx.call.id, agent: sub.agent.name, agentConversationId: conversation.id }
  const desk = new CallerDesk({ caller, above, called, task, signal })
  const run = runner.run({
    conversationId: conversation.id,
    caller: {
      conversationId: caller.conversation.id,
      turnId: caller.id,
      callId: ctx.call.id,
      tool: ctx.call.name,
      ...(above ? { above: above.call } : {}),
    },
    signal,
    left: desk.left,
    hear: said => desk.hear(said as SentMessage),
  })
  // One that stays behind ends with its day.
  await run.finally(() => kept?.forget().catch(() => {}))
  // A turn that has lost its own caller is about to be left to its log, where the call is open.
  if (above?.shared.isLost) await caller.settled
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
