import { either, untilAborted } from './abort.ts'
import type { Conversation } from './conversation.ts'
import { nearest, TurnbuckleError } from './errors.ts'
import type { NewEvent } from './events.ts'
import type { Frame } from './frame.ts'
import type { Call, Message, ToolResult } from './message.ts'
import { isPromise, isThenable } from './ports.ts'
import type { Run } from './run.ts'
import { executingEvent } from './thread.ts'
import { limitResult, type Tool, validate } from './tool.ts'
import { type Node, pathOf } from './tree.ts'

interface Prepared {
  readonly tool: Tool
  readonly args: unknown
}

/** Finds the tool and checks the arguments, before any guard is asked about them. */
export function prepare(frame: Frame): void | Promise<void> {
  const { run } = frame
  const call = frame.input as Call
  const tool = offeredTool(run, call)
  if (typeof call.args === 'string')
    throw new TurnbuckleError(
      'call.malformed',
      `The arguments of ${call.name} are no JSON: they may have been cut off. Make the call again.`,
      { kind: 'validation' },
    )
  const checked = validate(tool, call.args)
  const keep = (args: unknown) => {
    frame.prepared = { tool, args } satisfies Prepared
  }
  return isPromise(checked) ? checked.then(keep) : keep(checked)
}

/** A tool that a hook took out of the prompt is not there, also when the model asks for it. */
function offeredTool(run: Run, call: Call): Tool {
  const tool = run.core.tool(call.name)
  const { offered } = run
  if (tool && (!offered || offered.some(({ name }) => name === call.name))) return tool
  const names = (offered ?? run.core.specs).map(({ name }) => name)
  const close = nearest(call.name, names)
  const hint = close ? `Did you mean "${close}"?` : `Tools here: ${names.join(', ') || 'none'}.`
  throw new TurnbuckleError('tool.unknown', `There is no tool "${call.name}". ${hint}`, { kind: 'validation' })
}

/** The one place where a tool runs. */
export function callTool(frame: Frame): ToolResult | Promise<ToolResult> {
  const { run } = frame
  const call = frame.call as Call
  const { tool, args } = frame.prepared as Prepared
  run.thread.news(run, executingEvent, call, undefined)
  const controller = tool.timeout === undefined ? undefined : new AbortController()
  const given = frame.signal ? either(controller?.signal, either(frame.signal, run.signal)) : controller?.signal
  const value = tool.run(args as never, new ToolContext(frame, call, given))
  if (!isThenable(value)) return { status: 'ok', value: limitResult(value, tool) }
  const running = Promise.resolve(value)
  const limited = controller ? timed(run, tool, running, controller) : running
  const late = () => reportLate(frame, call)
  running.then(late, late)
  return run
    .uncut(frame.signal ? untilAborted(limited, frame.signal) : limited)
    .then(result => ({ status: 'ok', value: limitResult(result, tool) }))
}

function timed(run: Run, tool: Tool, value: Promise<unknown>, controller: AbortController): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const error = new TurnbuckleError('tool.timeout', `${tool.name} took longer than ${tool.timeout} ms.`, {
      kind: 'timeout',
    })
    const cancel = run.clock.after(tool.timeout as number, () => {
      reject(error)
      controller.abort(error)
    })
    const off = run.onCut(error => controller.abort(error))
    value.then(resolve, reject).finally(() => {
      cancel()
      off()
    })
  })
}

/** A result that came after the turn had ended is told, not used. */
function reportLate({ run }: Frame, call: Call): void {
  if (run.over) run.thread.emit({ type: 'tool.late', callId: call.id, turnId: run.id }, undefined)
}

/** What a tool sees besides its arguments. */
export class ToolContext {
  readonly call: Call
  readonly #frame: Frame
  readonly #signal: AbortSignal | undefined

  constructor(frame: Frame, call: Call, signal: AbortSignal | undefined) {
    this.call = call
    this.#frame = frame
    this.#signal = signal
  }

  /** The messages up to here. */
  get path(): readonly Message[] {
    return pathOf(this.#frame.run.tip)
  }
  /** The whole conversation. */
  get tree(): readonly Node[] {
    return this.#frame.run.thread.tree.nodes
  }
  get step(): number {
    return this.#frame.run.step
  }
  /** Aborted on an interrupt, and when the tool's time is up. */
  get signal(): AbortSignal {
    return this.#signal ?? this.#frame.run.signal
  }
  get conversation(): Conversation {
    return this.#frame.run.conversation
  }
  emit(event: NewEvent): void {
    this.#frame.run.emit({ callId: this.call.id, ...event } as NewEvent)
  }
  /** Queues a message, as a person could; applied after this batch's results. */
  interject(text: string): void {
    this.#frame.run.interject(text)
  }

  /** For sub-agents: the turn this call belongs to. */
  static runOf(ctx: ToolContext): Run {
    return ctx.#frame.run
  }
}
