import { type AttemptCancel, cancelBy } from '../async/attempt-cancel.ts'
import { interrupted, nearest, TurnbuckleError } from '../base/errors.ts'
import { andThen, type Maybe } from '../base/maybe.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import { nest } from '../base/nesting-depth.ts'
import { ownCopy } from '../base/own-copy.ts'
import { isThenable } from '../base/ports.ts'
import { stop } from '../directives/directives.ts'
import { noteDirective } from '../directives/note-directive.ts'
import { untilDurable } from '../durable/until-durable.ts'
import { executingEvent } from '../events/event-makers.ts'
import { checkTold } from '../events/events.ts'
import { lazily, ownEvent, whenWriter } from '../events/news.ts'
import { type Node, shownPath } from '../history/tree.ts'
import type { Conversation } from '../types/conversation.ts'
import type { Journal } from '../types/journal.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { Tool } from '../types/tool.ts'
import type { Client, ToolContext as ToolContextType } from '../types/tool-context.ts'
import type { TurnState } from '../types/turn-state.ts'
import { askedTool, askForProvider } from './ask-for-provider.ts'
import { toToolResult, validateArguments } from './tool.ts'

interface PreparedCall {
  readonly tool: Tool
  readonly args: unknown
}

/** The arguments of a call that was checked, as its tool will get them. */
export const preparedArguments = ({ prepared }: StageFrame): unknown => (prepared as PreparedCall).args

/** Finds the tool and checks the arguments, before any guard is asked about them. */
export function prepareCall(frame: StageFrame): Maybe<void> {
  const { turn } = frame
  const call = frame.input as Call
  const tool = offeredTool(turn, call)
  const torn = typeof call.args === 'string'
  if (torn || call.id === turn.calls.cutId)
    throw new TurnbuckleError(
      'call.malformed',
      `The arguments of ${call.name} are ${torn ? 'no JSON' : 'the end of a reply that was too long'}: they may have been cut off. Make the call again.`,
      { kind: 'validation' },
    )
  return andThen(validateArguments(tool, call.args), args => {
    frame.prepared = { tool, args } satisfies PreparedCall
  })
}

/** A tool that a hook took out of the prompt is not there, also when the model asks for it. */
function offeredTool(turn: TurnState, call: Call): Tool {
  if (call.approval !== undefined) return askedTool(call)
  const tools = turn.agent.toolsOf(turn)
  const tool = tools.find(call.name)
  const { offered } = turn.calls
  if (tool && (!offered || offered.some(({ name }) => name === call.name))) return tool
  const names = (offered ?? tools.specs).map(({ name }) => name)
  const close = nearest(call.name, names)
  const hint = close ? `Did you mean "${close}"?` : `Tools here: ${names.join(', ') || 'none'}.`
  throw new TurnbuckleError('tool.unknown', `There is no tool "${call.name}". ${hint}`, { kind: 'validation' })
}

/** Runs a call. On a log: unless the log has its result, and only once its intent is durable. */
export function runTool(frame: StageFrame): Maybe<ToolResult> {
  const { turn } = frame
  if (turn.journal) return runOnLog(frame, turn.journal)
  turn.tell(lazily(executingEvent, frame.call as Call, turn.callsMessageId))
  return runWithinLimit(frame)
}

async function runOnLog(frame: StageFrame, journal: Journal): Promise<ToolResult> {
  const { turn } = frame
  const call = frame.call as Call
  const { id: callId, name, args } = call
  const began = turn.replay.began(callId)
  const known = turn.replay.raw(callId) ?? (began ? await askOutcomes(frame, call, began) : undefined)
  if (known) return known
  turn.tell(lazily(executingEvent, call, turn.callsMessageId))
  journal.note(turn.id, { note: 'intent', callId, name, args, idempotencyKey: idempotencyKey(frame) })
  await untilDurable(frame, journal)
  const result = await runWithinLimit(frame)
  if (!frame.hooks.empty && !turn.over) journal.note(turn.id, { note: 'raw', callId, result })
  return result
}

const idempotencyKey = ({ turn, call }: StageFrame): string => idempotencyKeyOf(turn, String(call?.id))
/** Names a call for services, and the conversation of a sub-agent that works for it. */
export const idempotencyKeyOf = ({ id }: TurnState, callId: string): string => `${id}.${callId}`

/** Asks once for each time that the call began: an attempt that did not happen says nothing of the next. */
async function askOutcomes(frame: StageFrame, call: Call, began: number): Promise<ToolResult | undefined> {
  for (let time = 0; time < began; time++) {
    const known = await askOutcome(frame, call)
    if (known) return known
  }
  return undefined
}

/** A process died while the call ran. It is run again only if that does no harm, or a person says so. */
async function askOutcome(frame: StageFrame, { id, name, args }: Call): Promise<ToolResult | undefined> {
  if ((frame.prepared as PreparedCall).tool.idempotent) return undefined
  const payload = { id, name, args, question: `Did ${name} happen? The process ended while it ran.`, choices: outcomes }
  const options = { timeout: Infinity }
  frame.onWait?.()
  const answer = (await frame.turn.ask(frame, 'turnbuckle', 'outcome', payload, options)) as {
    readonly outcome: string
    readonly value?: unknown
  }
  if (answer.outcome === 'not') return undefined
  if (answer.outcome === 'stop') noteDirective(frame, stop(`nobody knows whether ${name} happened`), 'person', 'tool')
  const happened =
    answer.outcome === 'happened' ? 'A person says that it happened.' : 'Nobody knows whether it happened.'
  return { status: 'unknown', value: answer.value ?? `The process ended while this ran. ${happened}` }
}

const outcomes: readonly unknown[] = ['happened', 'not', 'stop']

/** The tool's time limit, where it has one, ends the wait for it at once. */
function runWithinLimit(frame: StageFrame): Maybe<ToolResult> {
  const { tool } = frame.prepared as PreparedCall
  return tool.timeout === undefined ? startTool(frame, frame.cancel) : runWithin(frame, tool, tool.timeout)
}

async function runWithin(frame: StageFrame, { name }: Tool, ms: number): Promise<ToolResult> {
  const { turn } = frame
  const late = () => new TurnbuckleError('tool.timeout', `${name} took longer than ${ms} ms.`, { kind: 'timeout' })
  const limit = cancelBy({ until: end => turn.time.clock.after(ms, () => end(late())) }, frame.cancel)
  try {
    return await startTool(frame, limit.cancel)
  } finally {
    limit.off()
  }
}

/** The one place where a tool runs. */
function startTool(frame: StageFrame, cancel: AttemptCancel | undefined): Maybe<ToolResult> {
  const { turn } = frame
  // An interrupt ends every wait, but not one that is just over.
  if (turn.interrupted) throw interrupted()
  if (frame.call?.approval !== undefined) return askForProvider(frame)
  const { tool, args } = frame.prepared as PreparedCall
  // Its own copy for each attempt: a tool may change what it is given, and the history and a later attempt have what the model wrote.
  const returned = callTool(tool, ownCopy(args), new ToolContext(frame, frame.call as Call, cancel), turn.depth + 1)
  return isThenable(returned) ? untilReturned(frame, tool, returned, cancel) : toToolResult(returned, tool)
}

function callTool(tool: Tool, args: unknown, ctx: ToolContext, depth: number): unknown {
  const outer = nest(depth)
  try {
    return tool.run(args as never, ctx)
  } finally {
    nest(outer)
  }
}

/** An interrupt ends the wait for a tool at once. */
async function untilReturned(
  frame: StageFrame,
  tool: Tool,
  returned: PromiseLike<unknown>,
  cancel: AttemptCancel | undefined,
): Promise<ToolResult> {
  frame.onWait?.()
  const running = Promise.resolve(returned)
  reportLate(frame, running)
  return toToolResult(await frame.turn.time.untilInterrupted(cancel ? cancel.race(running) : running), tool)
}

/** A result that comes after the turn has ended is told, not used. */
function reportLate({ turn, call }: StageFrame, running: Promise<unknown>): void {
  const messageId = turn.callsMessageId
  const late = () => {
    if (turn.phase === 'over')
      turn.conversation.tell(
        { type: 'tool.late', callId: call?.id ?? '', messageId, turnId: turn.id },
        undefined,
        whenWriter,
      )
  }
  running.then(late, late)
}

/** The tool's view of the turn and of its call, besides the arguments. */
export class ToolContext implements ToolContextType {
  readonly call: Call
  /** The index of the step, from 0. */
  readonly step: number
  readonly #frame: StageFrame
  readonly #cancel: AttemptCancel | undefined

  constructor(frame: StageFrame, call: Call, cancel: AttemptCancel | undefined) {
    this.call = call
    this.step = frame.turn.step.index
    this.#frame = frame
    this.#cancel = cancel
  }

  /** The messages up to here. */
  get messages(): readonly Message[] {
    return this.path
  }
  get path(): readonly Message[] {
    return shownPath(this.#frame.turn.branch.tip)
  }
  /** The whole conversation. */
  get tree(): readonly Node[] {
    return this.#frame.turn.conversation.tree.nodes
  }
  /** Who asked, where a server knows. */
  get client(): Client | undefined {
    return this.#frame.turn.topmost.link.client
  }
  /** Aborted on an interrupt, and when the tool's time is up. */
  get signal(): AbortSignal {
    const { signal } = this.#frame.turn.time
    return this.#cancel?.signalWith(signal) ?? signal
  }
  get conversation(): Conversation {
    return this.#frame.turn.conversationHandle
  }
  /** Constant when a call is run again after a crash: pass it to a service that must not act twice. */
  get idempotencyKey(): string {
    return idempotencyKey(this.#frame)
  }
  // Getters of functions, so that a tool may take them out of its context.

  get emit(): ToolContextType['emit'] {
    const { id: callId, name } = this.call
    const { turn } = this.#frame
    return event => {
      checkTold(event)
      const type: string = event.type
      if (type !== 'tool.progress') return turn.tell(ownEvent({ callId, ...event }))
      // Progress is part of a result that a person sees before the hooks do.
      const told = turn.hooks.cleanResult({ status: 'ok', value: event }).value
      if (told === undefined || told === null) return
      const fields = typeof told === 'object' ? told : { text: told }
      turn.tell(ownEvent({ callId, messageId: turn.callsMessageId, name, ...fields, type }))
    }
  }
  /** Queues a message in the tool's name; applied after this batch's results. */
  get interject(): (text: string) => void {
    return text => this.#frame.turn.interject(text, this.call.name)
  }

  /** For sub-agents: the turn this call belongs to. */
  static turnOf(ctx: ToolContextType): TurnState {
    return (ctx as ToolContext).#frame.turn
  }
}
