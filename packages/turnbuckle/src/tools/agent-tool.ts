import { TurnbuckleError } from '../core/base/errors.ts'
import type { NewMessage } from '../core/base/message.ts'
import type { Schema } from '../core/base/ports.ts'
import { minus } from '../core/base/usage-sums.ts'
import { catchUpUsage } from '../core/model/usage.ts'
import { endLeftCallsBy } from '../core/tools/left-calls.ts'
import { ToolContext as CallContext, idempotencyKeyOf } from '../core/tools/run-tool.ts'
import { tool } from '../core/tools/tool.ts'
import type { AgentHandle } from '../core/types/agent-core.ts'
import type { Conversation } from '../core/types/conversation.ts'
import type { Tool } from '../core/types/tool.ts'
import type { ToolContext } from '../core/types/tool-context.ts'
import type { TurnResult } from '../core/types/turn.ts'
import type { TurnState } from '../core/types/turn-state.ts'
import type { AgentToolOptions } from './agent-tool-options.ts'
import { object, text } from './arguments.ts'
import { checkAgentTool } from './check-agent-tool.ts'
import { callElsewhere, type ElsewhereCall, runnerFor } from './elsewhere/call-elsewhere.ts'
import { pauseOf, whileStoreIsDown } from './elsewhere/long-task.ts'
import { runnerOf, type SubAgentRunner } from './elsewhere/sub-agent-runner.ts'
import { noteSubAgent } from './elsewhere/sub-agents.ts'
import { type Attempt, type AttemptEnd, lastAttempt } from './sub-agent-attempts.ts'
import { beginSubAgent, endsToldOf, interruptLeft, isBegunFor, isWithAnother, type SubAgent } from './sub-agent-turn.ts'

/**
 * An agent as a tool of another. Each call is a conversation of its own, linked to the call: the caller's guards hold
 * in it, its questions surface at the root, its usage counts there, an interrupt ends both. It sees nothing of the
 * caller's history. What does not complete is an error result.
 *
 * ```ts
 * createAgent({ model, tools: [agentTool(researcher, { name: 'research', deny: ['shell'], maxSteps: 10 })] })
 * ```
 */
export function agentTool<Args = { task: string }>(agent: AgentHandle, options: AgentToolOptions<Args>): Tool {
  checkAgentTool(agent, options)
  const { name, description = `Gives a task to ${agent.name}.`, schema, timeout, result = textOf } = options
  const input = options.input ?? (schema ? undefined : (taskInput() as unknown as Schema<Args>))
  const sub: SubAgent = { agent, rules: options }
  const made = tool<Args>({
    name,
    description,
    ...(input ? { input } : {}),
    ...(schema ? { schema } : {}),
    ...(timeout === undefined ? {} : { timeout }),
    // On a log its conversation is found again, and goes on where it was.
    idempotent: agent.durable,
    async run(args, ctx) {
      const ended = await resultOf(sub, ctx, () => prompt(options, args))
      if (ended.status === 'completed') return result(ended)
      throw incomplete(name, ended)
    },
  })
  noteSubAgent(made, sub)
  if (agent.durable)
    endLeftCallsBy(made, (turn, { id }, reason) => interruptLeft(sub, turn, idempotencyKeyOf(turn, id), reason))
  return made
}

const textOf = ({ text }: TurnResult): string => text

/** The end of the sub-agent's turn: the one that its log has, or that of a turn which runs now, here or elsewhere. `started`: turns that the caller was told of. */
async function resultOf(
  sub: SubAgent,
  ctx: ToolContext,
  prompt: () => string | NewMessage,
  started: Set<string> = new Set(),
): Promise<TurnResult> {
  const { agent } = sub
  const { signal } = ctx
  const caller = CallContext.turnOf(ctx)
  const { conversation, last } = await readLast(agent, ctx)
  const end = last?.end
  const isToldOf = end && endsToldOf(caller).has(end.turnId)
  if (end && !isToldOf) return endedBefore(conversation, end, ctx)
  const call = { sub, ctx, conversation, message: prompt(), after: end?.turnId }
  const runner = runnerFor(call)
  if (runner) return endedElsewhere(runner, call)
  const ended = await beginSubAgent(sub, {
    caller,
    callId: ctx.call.id,
    conversation,
    message: call.message,
    after: call.after,
    left: end ? undefined : last?.turnId,
    signal,
    emit(event) {
      if (!started.has(event.agentTurnId)) ctx.emit(event)
      started.add(event.agentTurnId)
    },
  }).result
  if (!isWithAnother(ended)) return ended
  await pauseOf(caller)
  if (signal.aborted || caller.over) return ended
  return resultOf(sub, ctx, () => call.message, started)
}

/** The conversation of the sub-agent that works for a call. One that was begun under its id for anything else is refused: its end is not the sub-agent's. */
async function openFor(ctx: ToolContext, agent: AgentHandle): Promise<Conversation> {
  const conversation = await agent.open(ctx.idempotencyKey)
  if (isBegunFor(CallContext.turnOf(ctx), conversation)) return conversation
  throw new TurnbuckleError(
    'agent.foreign',
    `The conversation "${conversation.id}" was not begun for this call of ${ctx.call.name}. Delete it, or make the call in another turn.`,
    { kind: 'tool' },
  )
}

/** Counts the usage of a sub-agent's turn for its caller. */
type Count = (used: { readonly id: string; readonly usage: TurnResult['usage'] }) => void

/** Another process has worked on it; the log has its end. */
async function endedElsewhere(runner: SubAgentRunner, call: ElsewhereCall): Promise<TurnResult> {
  const { sub, ctx, after } = call
  const desk = await callElsewhere(runner, call)
  const { conversation, last } = await readLast(sub.agent, ctx)
  const end = last?.end
  if (!end || end.turnId === after)
    throw new TurnbuckleError('agent.lost', `${sub.rules.name} has not ended.`, { kind: 'tool' })
  const count: Count = ({ id, usage }) => desk.count({ turnId: id, usage, unbilled: 0 })
  const result = await endedBefore(conversation, end, ctx, count)
  return desk.ended?.isLate ? { ...result, status: 'stopped' } : result
}

/** Reads what a sub-agent's log has of its work for the call. */
function readLast(
  agent: AgentHandle,
  ctx: ToolContext,
): Promise<{ conversation: Conversation; last: Attempt | undefined }> {
  const caller = CallContext.turnOf(ctx)
  return readFor(caller, async () => {
    if (!agent.durable) return { conversation: agent.conversation(), last: undefined }
    const conversation = await openFor(ctx, agent)
    return { conversation, last: await lastAttempt(caller, conversation) }
  })
}
/** Where sub-agents are worked on elsewhere, a store that is down is waited for: they do not fail for that, and neither does the call. */
const readFor = <Result>(caller: TurnState, read: () => Promise<Result>): Promise<Result> =>
  runnerOf(caller) ? whileStoreIsDown(caller, read) : read()

/** A process has died between the sub-agent's end and the call's, or another one has worked on it. */
async function endedBefore(
  conversation: Conversation,
  end: AttemptEnd,
  ctx: ToolContext,
  count?: Count,
): Promise<TurnResult> {
  const { outcome: status, reason, by, text, usage, elsewhere, turnId: id } = end
  const caller = CallContext.turnOf(ctx)
  endsToldOf(caller).add(id)
  // Branches beside it have told their usage themselves.
  const used = { id, usage: elsewhere ? minus(usage, elsewhere) : usage }
  if (count) count(used)
  else catchUpUsage(caller, used)
  await readFor(caller, () => conversation.load())
  // The head may be at what somebody has said there since.
  const tip = conversation.tree.findLast(node => node.turnId === id)?.id
  const { messages } = tip === undefined ? conversation : conversation.fork(tip)
  return {
    status,
    reason,
    by,
    text,
    usage,
    messages,
    steps: messages.filter(({ role }) => role === 'assistant').length,
    states: {},
    shared: {},
  }
}

const taskInput = (): Schema<{ task: string }> =>
  object({
    task: text('What to do, with everything it needs to know: it sees nothing else.'),
  })

function prompt<Args>({ prompt }: AgentToolOptions<Args>, args: Args): string | NewMessage {
  if (prompt) return prompt(args)
  const { task } = args as { task?: unknown }
  return typeof task === 'string' ? task : JSON.stringify(args)
}

/** The error of a sub-agent's turn that did not complete. Only a failed one is retryable: a stopped one was stopped on purpose. */
function incomplete(name: string, { status, reason, text }: TurnResult): TurnbuckleError {
  const said = text ? ` It had said: ${text}` : ''
  const what = `${name} ${status === 'failed' ? '' : 'was '}${status}: ${reason}.${said}`
  const error = new TurnbuckleError(`agent.${status}`, what, { kind: 'tool' })
  return Object.assign(error, { retryable: status === 'failed' })
}
