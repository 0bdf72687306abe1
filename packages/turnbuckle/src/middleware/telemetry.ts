import { messageOf } from '../core/base/errors.ts'
import type { Call, Message } from '../core/base/message.ts'
import { namingFiles } from '../core/base/naming-files.ts'
import type { Model, Prompt } from '../core/base/ports.ts'
import type { AfterContext, BeforeContext, Context } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { errorKindIn } from '../core/stages/built-in-stages.ts'
import type { Turn, TurnResult } from '../core/types/turn.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { PerPrefix } from './per-prefix.ts'
import {
  contentAttributes,
  draftAttributes,
  messageContent,
  modelName,
  promptAttributes,
  type Value,
} from './telemetry-attributes.ts'

/** The part of `@opentelemetry/api` that is used: pass the module itself. */
export interface TelemetryApi {
  /** The tracing part of the API. */
  readonly trace: {
    getTracer(name: string, version?: string): TelemetryTracer
    setSpan(context: unknown, span: unknown): unknown
  }
  /** The context manager of the API. */
  readonly context: { active(): unknown; with(context: unknown, run: () => unknown): unknown }
}
/** The members of an OpenTelemetry tracer that are used. */
export interface TelemetryTracer {
  /** Begins a span inside the context. */
  startSpan(name: string, options: { kind: number; attributes: Record<string, Value> }, context: unknown): TelemetrySpan
}
/** The members of an OpenTelemetry span that are used. */
export interface TelemetrySpan {
  /** Sets attributes of the span. */
  setAttributes(attributes: Record<string, Value>): unknown
  /** Sets whether the span failed. */
  setStatus(status: { code: number; message?: string }): unknown
  /** Ends the span. */
  end(): void
  /** False where nobody samples the span. */
  isRecording(): boolean
}

/** The options of `telemetry`. */
export interface TelemetryOptions {
  /** The module `@opentelemetry/api`. Imported when the first turn begins, when it is not given. */
  readonly api?: TelemetryApi
  /** Records messages, arguments and results too. No by default: they may be private. */
  readonly content?: boolean
  /** `false`: a middleware without hooks, which costs nothing. */
  readonly enabled?: boolean
}

const internal = 0
const client = 2
const failed = 2

const shape = (): Shape<TelemetryOptions> => ({ api: is.plain, content: is.flag, enabled: is.flag })

/**
 * OpenTelemetry spans by the GenAI conventions: `invoke_agent` for a turn, refused ones too, in it `chat` for each attempt
 * of a model call and `execute_tool` for each run of a tool. Not a guard, and fails open: without a tracer the turn goes on.
 *
 * ```ts
 * import * as api from '@opentelemetry/api'
 * createAgent({ model, use: [telemetry({ api })] })
 * ```
 */
export function telemetry(options: TelemetryOptions = {}): Middleware {
  checkOptions('telemetry', options, shape)
  const { content = false, enabled = true } = options
  if (!enabled) return middleware({ name: 'telemetry' })
  const spans = new Spans(options.api)
  // The text of all messages grows at its end: what was written for a call before is not written again.
  const contents = new PerPrefix<string>((before, message) =>
    before === undefined ? messageContent(message) : `${before},${messageContent(message)}`,
  )
  const chat = async (ctx: Context & { prompt: Prompt }, model: Model, next: () => Promise<Message>) => {
    const { provider, name } = modelName(model)
    const said = () => asList(contents.of(ctx.stage === 'model' ? ctx.conversation : ctx.turn, ctx.prompt.messages))
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': name,
      ...promptAttributes(ctx.prompt),
      ...(content ? contentAttributes(ctx.prompt, said()) : {}),
    }
    return spans.around(ctx, { name: `chat ${name}`, kind: client, attributes }, next, reply => ({
      ...(ctx.stage === 'model' ? draftAttributes(ctx.draft) : {}),
      ...(content ? { 'gen_ai.output.messages': asList([messageContent(reply)]) } : {}),
    }))
  }
  return middleware({
    name: 'telemetry',
    // Inside retries and fallbacks, so that each attempt is seen.
    priority: 1000,
    onFailure: 'open',
    wrapTurn: (ctx, next) => spans.turn(ctx, next as () => Promise<TurnResult>),
    afterTurn: ctx => spans.refused(ctx),
    wrapModel: (ctx, next) => chat(ctx, ctx.prompt.model ?? ctx.agent.model, next),
    wrapGenerate: (ctx, next) => chat(ctx, ctx.prompt.model ?? ctx.agent.model, next),
    wrapTool: (ctx, next) =>
      spans.around(ctx, toolSpan(ctx.call, content), next, ({ status, value }) => ({
        'turnbuckle.tool.status': status,
        ...(content ? { 'gen_ai.tool.call.result': JSON.stringify(value, namingFiles) ?? '' } : {}),
      })),
  })
}

const toolSpan = ({ id, name, args }: Omit<Call, 'type'>, content: boolean): Description => ({
  name: `execute_tool ${name}`,
  kind: internal,
  attributes: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.type': 'function',
    ...(content ? { 'gen_ai.tool.call.arguments': JSON.stringify(args) ?? '' } : {}),
  },
})

interface Description {
  readonly name: string
  readonly kind: number
  readonly attributes: Record<string, Value>
}

/** Begins, nests and ends spans. Holds nothing of a turn longer than the turn itself is held. */
class Spans {
  readonly #given: TelemetryApi | undefined
  #loading: Promise<TelemetryApi> | undefined
  readonly #turns = new WeakMap<Turn, unknown>()
  readonly #begun = new WeakSet<Turn>()

  constructor(api: TelemetryApi | undefined) {
    this.#given = api
  }

  async turn(ctx: BeforeContext<'turn'>, next: () => Promise<TurnResult>): Promise<TurnResult> {
    this.#begun.add(ctx.turn)
    return this.around(ctx, invocation(ctx), next, ended)
  }

  /** A turn that was refused, or answered, before its loop began has a span too. */
  async refused(ctx: AfterContext<'turn'>): Promise<void> {
    if (!this.#begun.has(ctx.turn)) await this.around(ctx, invocation(ctx), async () => ctx.result, ended)
  }

  /** Runs `next` in a span. What it gave adds attributes; its error marks the span and goes on. */
  async around<Result>(
    ctx: Context,
    { name, kind, attributes }: Description,
    next: () => Promise<Result>,
    describe: (result: Result, span: TelemetrySpan) => Record<string, Value>,
  ): Promise<Result> {
    const api = this.#given ?? (await this.#load())
    const parent = ctx.stage === 'turn' ? api.context.active() : (this.#turns.get(ctx.turn) ?? api.context.active())
    const options = { kind, attributes: { ...attributes, 'gen_ai.conversation.id': ctx.conversation.id } }
    const span = api.trace.getTracer('turnbuckle').startSpan(name, options, parent)
    if (!span.isRecording()) return next()
    const inside = api.trace.setSpan(parent, span)
    if (ctx.stage === 'turn') this.#turns.set(ctx.turn, inside)
    try {
      const result = (await api.context.with(inside, next)) as Result
      span.setAttributes(describe(result, span))
      return result
    } catch (error) {
      fails(span, error, ctx.stage)
      throw error
    } finally {
      span.end()
    }
  }

  #load(): Promise<TelemetryApi> {
    // A name that bundlers do not follow: the package is optional.
    const name = '@opentelemetry/api'
    this.#loading ??= import(name).catch(cause => {
      throw new Error('telemetry() needs the package @opentelemetry/api: install it, or pass { api }.', { cause })
    })
    return this.#loading
  }
}

const asList = (contents: readonly string[]): string => `[${contents.at(-1) ?? ''}]`

const invocation = ({ agent, turn }: Context): Description => ({
  name: `invoke_agent ${agent.name}`,
  kind: internal,
  attributes: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': agent.name,
    'turnbuckle.turn.id': turn.id,
  },
})

function ended({ status, reason, by, usage, error }: TurnResult, span: TelemetrySpan): Record<string, Value> {
  if (status === 'failed') fails(span, error ?? reason)
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'turnbuckle.turn.status': status,
    'turnbuckle.turn.reason': reason,
    'turnbuckle.turn.by': by,
  }
}

function fails(span: TelemetrySpan, error: unknown, stage = 'turn'): void {
  span.setAttributes({ 'error.type': errorKindIn(error, stage) })
  span.setStatus({ code: failed, message: messageOf(error) })
}
