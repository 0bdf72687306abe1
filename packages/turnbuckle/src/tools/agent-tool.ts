import { Conversation as ConversationHandle } from '../core/agent/conversation.ts'
import { TurnbuckleError } from '../core/base/errors.ts'
import type { Message, NewMessage } from '../core/base/message.ts'
import type { Schema, Usage } from '../core/base/ports.ts'
import { minus } from '../core/base/usage-sums.ts'
import { estimateCall } from '../core/context/estimate-call.ts'
import { nextWithin, tooLate } from '../core/context/next-within.ts'
import { block, Directive, stop } from '../core/directives/directives.ts'
import type { BeforeContext, Context, NextOptions } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { catchUpUsage } from '../core/model/usage.ts'
import { ToolContext as CallContext } from '../core/tools/run-tool.ts'
import { tool } from '../core/tools/tool.ts'
import type { AgentHandle } from '../core/types/agent-core.ts'
import type { Conversation } from '../core/types/conversation.ts'
import type { Tool } from '../core/types/tool.ts'
import type { ToolContext } from '../core/types/tool-context.ts'
import type { Turn, TurnResult } from '../core/types/turn.ts'
import type { TurnState } from '../core/types/turn-state.ts'
import { object, text } from './arguments.ts'
import { passEventsOn } from './pass-events-on.ts'

type Names = readonly (string | RegExp)[]
type Next<Result> = (input?: undefined, options?: NextOptions) => Promise<Result>

/** The most that the turn of a sub-agent may use. */
export interface Budget {
  /** Input and output together; what does not say what it used is estimated. */
  readonly tokens?: number
  /** In the currency of the model's prices. A cost that is not known stops the sub-agent too. */
  readonly cost?: number
  /** Active milliseconds. A model call or a tool that takes longer is cut off; a hook that hangs is left. */
  readonly ms?: number
}

/** The options of `agentTool`. */
export interface AgentToolOptions<Args> {
  /** The name of the tool. */
  readonly name: string
  /** The purpose of the sub-agent, for the model that calls it. */
  readonly description?: string
  /** `{ task: string }` unless said otherwise. */
  readonly input?: Schema<Args>
  /** JSON Schema of the arguments, where `input` cannot give one. */
  readonly schema?: object
  /** The message that the sub-agent is sent. By default the task, or else the arguments as JSON. */
  readonly prompt?: (args: Args) => string | NewMessage
  /** The only tools it may use; all of its own when absent. */
  readonly allow?: Names
  /** Tools that neither it nor an agent below it may use. */
  readonly deny?: Names
  /** The most steps of each turn of the sub-agent. */
  readonly maxSteps?: number
  /** The most that each turn of the sub-agent may use. */
  readonly budget?: Budget
  /** Milliseconds of active time. */
  readonly timeout?: number
  /** The value that the caller gets; the last reply's text by default. */
  readonly result?: (result: TurnResult) => unknown
}

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
  const { name, description = `Gives a task to ${agent.name}.`, schema, timeout } = options
  const input = options.input ?? (schema ? undefined : (taskInput() as unknown as Schema<Args>))
  return tool<Args>({
    name,
    description,
    ...(input ? { input } : {}),
    ...(schema ? { schema } : {}),
    ...(timeout === undefined ? {} : { timeout }),
    // On a log its conversation is found again, and goes on where it was.
    idempotent: agent.durable,
    async run(args, ctx) {
      const conversation = agent.durable ? await agent.open(ctx.idempotencyKey) : agent.conversation()
      const end = await conversation.lastEnd()
      const isToldOf = end && endsToldOf(CallContext.turnOf(ctx)).has(end.turnId)
      // A call that is made again after a failure is an attempt of its own, from the beginning of the conversation.
      const result =
        end && !isToldOf
          ? await endedBefore(conversation, end, ctx)
          : await work(isToldOf ? conversation.fork(null) : conversation, args, ctx)
      if (result.status === 'completed') return options.result ? options.result(result) : result.text
      throw incomplete(name, result)
    },
  })

  function work(conversation: Conversation, args: Args, ctx: ToolContext): Promise<TurnResult> {
    const underWay: UnderWay = { calls: 0 }
    const how = { signal: ctx.signal, use: limits(options, conversation, underWay) }
    const caller = CallContext.turnOf(ctx)
    const passing = passEventsOn(caller, { agent: agent.name, callId: ctx.call.id, conversation })
    const turn = orElse(passing.stop, () =>
      ConversationHandle.sendFor(caller, conversation, prompt(options, args), how),
    )
    const { id: agentTurnId, conversationId: agentConversationId } = turn
    const where = { agent: agent.name, agentConversationId, agentTurnId, durable: agent.durable }
    ctx.emit({ type: 'agent.started', callId: ctx.call.id, ...where })
    passing.begin()
    const deadline = new Deadline(turn, caller, options.budget?.ms ?? Infinity, underWay)
    return turn.settled.then(result => {
      endsToldOf(caller).add(agentTurnId)
      passing.stop()
      deadline.cancel()
      const author = { name: agent.name, conversationId: agentConversationId, turnId: agentTurnId, callId: ctx.call.id }
      // A sub-agent's own sub-agents have said where they were.
      caller.steering.list(...turn.explain().map(decision => ({ agent: author, ...decision })))
      return deadline.isOver ? { ...result, status: 'stopped' as const } : result
    })
  }
}

/** Model calls and tools of a sub-agent's turn that run now, each with a limit of its own that ends it in time. */
interface UnderWay {
  calls: number
}

/** Ends a sub-agent's turn that hangs where no model call or tool can be cut off: in a hook or a stage of its own. Counts the caller's active time. */
class Deadline {
  isOver = false
  cancel: () => void = () => {}

  constructor(turn: Turn, caller: TurnState, ms: number, underWay: UnderWay) {
    if (ms === Infinity) return
    const { time, agent } = caller
    const end = () => {
      this.isOver = true
      turn.interrupt(timeLimitOf(ms))
    }
    const look = () => {
      // Cut off by its own limit, it may still have hooks that clean up.
      if (underWay.calls) this.cancel = time.clock.after(agent.cleanupMs, end)
      else end()
    }
    this.cancel = time.clock.after(ms, look)
  }
}

const timeLimitOf = (ms: number): string => `${ms} ms are its limit`

function orElse<Result>(undo: () => void, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    undo()
    throw error
  }
}

/** The turns of sub-agents whose ends a turn has been told of in this process, by their ids. */
const toldEnds = new WeakMap<TurnState, Set<string>>()
function endsToldOf(caller: TurnState): Set<string> {
  const known = toldEnds.get(caller) ?? new Set()
  toldEnds.set(caller, known)
  return known
}

type End = NonNullable<Awaited<ReturnType<Conversation['lastEnd']>>>

/** A process has died between the sub-agent's end and the call's. */
async function endedBefore(conversation: Conversation, end: End, ctx: ToolContext): Promise<TurnResult> {
  const { outcome: status, reason, by, text, usage, elsewhere, turnId: id } = end
  const caller = CallContext.turnOf(ctx)
  endsToldOf(caller).add(id)
  // Branches beside it have told their usage themselves.
  catchUpUsage(caller, { id, usage: elsewhere ? minus(usage, elsewhere) : usage })
  await conversation.load()
  const { messages } = conversation
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

/** Middleware for this turn of the sub-agent alone, besides its own. */
function limits<Args>(options: AgentToolOptions<Args>, { id }: Conversation, underWay: UnderWay): Middleware[] {
  const { allow, deny = [], maxSteps = Infinity, budget } = options
  const isOwn = (conversation: Conversation) => conversation.id === id
  const offered = (name: string) => (!allow || matches(allow, name)) && !matches(deny, name)
  const offer = middleware({
    name: `${options.name}.offer`,
    priority: 1000,
    beforeModel(ctx) {
      ctx.prompt.tools = ctx.prompt.tools.filter(({ name }) => offered(name))
    },
  })
  const inTime = async <Result>(ctx: Context, next: Next<Result>): Promise<Result | Directive> => {
    const ms = isOwn(ctx.conversation) ? (budget?.ms ?? Infinity) : Infinity
    if (ms === Infinity) return next()
    underWay.calls++
    try {
      const result = await nextWithin(ctx, ms - ctx.clock.elapsed(), next)
      return result === tooLate ? stop(timeLimitOf(ms)) : result
    } finally {
      underWay.calls--
    }
  }
  // Calls that do not say what they use are estimated, those of agents below included.
  const attempt = async (ctx: BeforeContext<'model'>, next: Next<Message>): Promise<Message | Directive> => {
    const reply = await inTime(ctx, next)
    if (!(reply instanceof Directive)) estimateCall(ctx, reply)
    return reply
  }
  const guard = middleware({
    name: `${options.name}.limits`,
    guard: true,
    maxSteps,
    beforeStep(ctx) {
      if (!isOwn(ctx.conversation)) return
      if (ctx.step >= maxSteps) return stop(`${maxSteps} steps are its limit`)
      const spent = budget && overspent(budget, ctx.turn.usage, ctx.clock.elapsed())
      if (spent) return stop(spent)
    },
    ...(budget ? { wrapModel: attempt, wrapGenerate: attempt } : {}),
    ...(budget?.ms === undefined ? {} : { wrapTool: inTime }),
    beforeTool({ conversation, call: { name } }) {
      if (matches(deny, name) || (isOwn(conversation) && !offered(name)))
        return block(`${options.name} may not use ${name}.`)
    },
  })
  return allow || deny.length ? [offer, guard] : [guard]
}

const matches = (names: Names, name: string): boolean =>
  names.some(pattern => (typeof pattern === 'string' ? pattern === name : name.search(pattern) >= 0))

function overspent({ tokens, cost, ms }: Budget, usage: Usage, elapsed: number): string | undefined {
  const used = usage.inputTokens + usage.outputTokens
  if (tokens !== undefined && used >= tokens) return `${tokens} tokens are its limit`
  if (cost !== undefined && usage.cost === undefined) return 'its cost is not known, so its budget cannot be kept'
  if (cost !== undefined && (usage.cost ?? 0) >= cost) return `a cost of ${cost} is its limit`
  if (ms !== undefined && elapsed >= ms) return timeLimitOf(ms)
}
