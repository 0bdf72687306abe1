import type { Conversation } from '../agent/conversation.ts'
import { type AttemptCancel, cancelBy } from '../async/attempt-cancel.ts'
import { nearest, TurnbuckleError } from '../base/errors.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import { nest } from '../base/nesting-depth.ts'
import { isPromise, isThenable } from '../base/ports.ts'
import type { Journal } from '../durable/journal-port.ts'
import { whenDurable } from '../durable/when-durable.ts'
import { checkTold, type NewEvent } from '../events/events.ts'
import { executingEvent } from '../events/shared-conversation.ts'
import { type Node, shownPath } from '../history/tree.ts'
import { stop } from '../hooks/directives.ts'
import { note } from '../hooks/note-directive.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import type { TurnState } from '../turn/turn-state.ts'
import { resultOf, type Tool, validate } from './tool.ts'

interface Prepared {
  readonly tool: Tool
  readonly args: unknown
}

/** Finds the tool and checks the arguments, before any guard is asked about them. */
export function prepare(frame: StageFrame): void | Promise<void> {
  const { turn } = frame
  const call = frame.input as Call
  const tool = offeredTool(turn, call)
  const torn = typeof call.args === 'string'
  if (torn || call.id === turn.cutCall)
    throw new TurnbuckleError(
      'call.malformed',
      `The arguments of ${call.name} are ${torn ? 'no JSON' : 'the end of a reply that was too long'}: they may have been cut off. Make the call again.`,
      { kind: 'validation' },
    )
  const checked = validate(tool, call.args)
  if (isPromise(checked)) return prepareLater(frame, tool, checked)
  frame.prepared = { tool, args: checked } satisfies Prepared
}
async function prepareLater(frame: StageFrame, tool: Tool, checked: Promise<unknown>): Promise<void> {
  frame.prepared = { tool, args: await checked } satisfies Prepared
}

/** A tool that a hook took out of the prompt is not there, also when the model asks for it. */
function offeredTool(turn: TurnState, call: Call): Tool {
  const tool = turn.agent.tool(call.name)
  const { offered } = turn
  if (tool && (!offered || offered.some(({ name }) => name === call.name))) return tool
  const names = (offered ?? turn.agent.specs).map(({ name }) => name)
  const close = nearest(call.name, names)
  const hint = close ? `Did you mean "${close}"?` : `Tools here: ${names.join(', ') || 'none'}.`
  throw new TurnbuckleError('tool.unknown', `There is no tool "${call.name}". ${hint}`, { kind: 'validation' })
}

/** Runs a call; on a log only once that it begins is durable. */
export function callTool(frame: StageFrame): ToolResult | Promise<ToolResult> {
  const { turn } = frame
  if (turn.journal) return callDurably(frame, turn.journal)
  turn.conversation.tellLazily(turn, executingEvent, frame.call as Call, undefined)
  return runTool(frame)
}

async function callDurably(frame: StageFrame, journal: Journal): Promise<ToolResult> {
  const { turn } = frame
  const call = frame.call as Call
  const began = turn.past?.began(call.id)
  const known = turn.past?.raw(call.id) ?? (began ? await outcomeOf(frame, began) : undefined)
  if (known) return known
  const { id: callId, name, args } = call
  turn.conversation.tellLazily(turn, executingEvent, call, undefined)
  journal.note(turn.id, { note: 'intent', callId, name, args, idempotencyKey: idempotencyKey(frame) })
  const result = await whenDurable(frame, journal, () => runTool(frame))
  if (!frame.chain.empty && !turn.over) journal.note(turn.id, { note: 'raw', callId, result })
  return result
}

const idempotencyKey = ({ turn, call }: StageFrame): string => `${turn.id}.${call?.id}`

/** One question for each time that it began: that it did not happen the first time says nothing of the second. */
async function outcomeOf(frame: StageFrame, began: number): Promise<ToolResult | undefined> {
  for (let time = 0; time < began; time++) {
    const known = await askOutcome(frame)
    if (known) return known
  }
  return undefined
}

/** A process died while the call ran. It is run again only if that does no harm, or a person says so. */
async function askOutcome(frame: StageFrame): Promise<ToolResult | undefined> {
  const { turn } = frame
  const { id, name, args } = frame.call as Call
  if ((frame.prepared as Prepared).tool.idempotent) return undefined
  const payload = { id, name, args, question: `Did ${name} happen? The process ended while it ran.`, choices: outcomes }
  const answer = (await turn.ask(frame, 'turnbuckle', 'outcome', payload, {
    timeout: Infinity,
    check: checkOutcome,
  })) as {
    outcome: string
    value?: unknown
  }
  if (answer.outcome === 'not') return undefined
  if (answer.outcome === 'stop') note(frame, stop(`nobody knows whether ${name} happened`), 'person', 'tool')
  const happened =
    answer.outcome === 'happened' ? 'A person says that it happened.' : 'Nobody knows whether it happened.'
  return { status: 'unknown', value: answer.value ?? `The process ended while this ran. ${happened}` }
}

const outcomes: readonly unknown[] = ['happened', 'not', 'stop']
function checkOutcome(answer: unknown): void {
  if (!outcomes.includes((answer as { outcome?: unknown } | null)?.outcome))
    throw new Error('Expected { outcome: "happened" | "not" | "stop" }.')
}

/** The one place where a tool runs. */
function runTool(frame: StageFrame): ToolResult | Promise<ToolResult> {
  const { turn } = frame
  const call = frame.call as Call
  const { tool, args } = frame.prepared as Prepared
  const limit = tool.timeout === undefined ? undefined : timed(frame, tool, tool.timeout)
  const cut = limit?.cut ?? frame.cut
  const ctx = new ToolContext(frame, call, cut)
  const value = start(tool, args, ctx, turn.depth + 1, limit?.off)
  return isThenable(value) ? resultLater(frame, tool, value, cut, limit?.off) : resultOf(value, tool)
}

function resultLater(
  frame: StageFrame,
  tool: Tool,
  value: PromiseLike<unknown>,
  cut: AttemptCancel | undefined,
  off: (() => void) | undefined,
): Promise<ToolResult> {
  const { turn } = frame
  const call = frame.call as Call
  const running = Promise.resolve(value)
  const late = () => reportLate(frame, call)
  running.then(late, late)
  const result = turn.waits.race(cut ? cut.race(running) : running).then(result => resultOf(result, tool))
  return off ? result.finally(off) : result
}

/** What is over at once needs no limit any more. */
function start(tool: Tool, args: unknown, ctx: ToolContext, depth: number, off: (() => void) | undefined): unknown {
  const outer = nest(depth)
  let waits = false
  try {
    const value = tool.run(args as never, ctx)
    waits = isThenable(value)
    return value
  } finally {
    nest(outer)
    if (!waits) off?.()
  }
}

function timed({ turn, cut }: StageFrame, tool: Tool, ms: number): ReturnType<typeof cancelBy> {
  const late = () => new TurnbuckleError('tool.timeout', `${tool.name} took longer than ${ms} ms.`, { kind: 'timeout' })
  return cancelBy({ until: end => turn.clock.after(ms, () => end(late())) }, cut)
}

/** A result that came after the turn had ended is told, not used. */
function reportLate({ turn }: StageFrame, call: Call): void {
  if (turn.over && !turn.parked) turn.conversation.tellOutside({ type: 'tool.late', callId: call.id, turnId: turn.id })
}

/** What a tool sees besides its arguments. */
export class ToolContext {
  readonly call: Call
  /** From 0. */
  readonly step: number
  readonly #frame: StageFrame
  readonly #cut: AttemptCancel | undefined

  constructor(frame: StageFrame, call: Call, cut: AttemptCancel | undefined) {
    this.call = call
    this.step = frame.turn.step
    this.#frame = frame
    this.#cut = cut
  }

  /** The messages up to here. */
  get path(): readonly Message[] {
    return shownPath(this.#frame.turn.tip)
  }
  /** The whole conversation. */
  get tree(): readonly Node[] {
    return this.#frame.turn.conversation.tree.nodes
  }
  /** Aborted on an interrupt, and when the tool's time is up. */
  get signal(): AbortSignal {
    const { signal } = this.#frame.turn
    return this.#cut?.signalWith(signal) ?? signal
  }
  get conversation(): Conversation {
    return this.#frame.turn.conversationHandle
  }
  /** The same when a call is run again after a crash: give it to whoever must not do the thing twice. */
  get idempotencyKey(): string {
    return idempotencyKey(this.#frame)
  }
  // Getters of functions, so that a tool may take them out of its context.

  get emit(): (event: NewEvent) => void {
    const { id: callId, name } = this.call
    return event => {
      checkTold(event)
      this.#frame.turn.emit({ callId, ...(event.type === 'tool.progress' ? { name } : {}), ...event } as NewEvent)
    }
  }
  /** Queues a message, as a person could; applied after this batch's results. */
  get interject(): (text: string) => void {
    return text => this.#frame.turn.interject(text)
  }

  /** For sub-agents: the turn this call belongs to. */
  static runOf(ctx: ToolContext): TurnState {
    return ctx.#frame.turn
  }
}
