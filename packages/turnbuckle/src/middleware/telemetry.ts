import { messageOf } from '../core/base/errors.ts'
import type { Call, Message } from '../core/base/message.ts'
import { namingFiles } from '../core/base/naming-files.ts'
import type { Model, Prompt } from '../core/base/ports.ts'
import type { AfterContext, BeforeContext, Context, NextOptions } from '../core/hooks/hook-types.ts'
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
  usageAttributes,
  type Value,
} from './telemetry-attributes.ts'
import { type Labels, Meters, type TelemetryMeter } from './telemetry-meters.ts'

/** The part of `@opentelemetry/api` that is used: pass the module itself. */
export interface TelemetryApi {
  /** The tracing part of the API. */
  readonly trace: {
    getTracer(name: string, version?: string): TelemetryTracer
    setSpan(context: unknown, span: unknown): unknown
  }
  /** The metrics of the API; without it only spans are told. */
  readonly metrics?: { getMeter(name: string, version?: string): TelemetryMeter }
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
 * of a model call and `execute_tool` for each run of a tool. Metrics beside them: tokens, durations, time to the first chunk. Not a guard, and fails open: without a tracer the turn goes on.
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
  const chat = async (ctx: Context & { prompt: Prompt }, model: Model, next: NextAttempt) => {
    const { provider, name } = modelName(model)
    const said = () => asList(contents.of(ctx.stage === 'model' ? ctx.conversation : ctx.turn, ctx.prompt.messages))
    const labels = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': name,
    }
    const attributes = {
      ...labels,
      'gen_ai.request.stream': true,
      ...promptAttributes(ctx.prompt),
      ...(content ? contentAttributes(ctx.prompt, said()) : {}),
    }
    const attempt = new TimedAttempt(ctx, next)
    const metric = { name: 'gen_ai.client.operation.duration', labels }
    return spans.around(
      ctx,
      { name: `chat ${name}`, kind: client, attributes, metric },
      attempt.run,
      (reply, told) => ({
        ...attempt.figures(told.meters, labels),
        ...(content ? { 'gen_ai.output.messages': asList([messageContent(reply)]) } : {}),
      }),
    )
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
      spans.around(
        ctx,
        toolSpan(ctx.call, content),
        () => next(),
        ({ status, value }) => ({
          'turnbuckle.tool.status': status,
          ...(content ? { 'gen_ai.tool.call.result': JSON.stringify(value, namingFiles) ?? '' } : {}),
        }),
      ),
  })
}

type NextAttempt = (input?: undefined, options?: NextOptions) => Promise<Message>

/** A model call whose first chunk is timed. Nothing hooks into its stream. */
class TimedAttempt {
  readonly #ctx: Context
  readonly #next: NextAttempt
  #began = 0
  #firstHeardAt: () => number | undefined = () => undefined

  constructor(ctx: Context, next: NextAttempt) {
    this.#ctx = ctx
    this.#next = next
  }

  readonly run = (): Promise<Message> => {
    this.#began = this.#ctx.clock.elapsed()
    return this.#next(undefined, {
      until: (_end, _heardAt, firstHeardAt) => {
        this.#firstHeardAt = firstHeardAt
        return () => {}
      },
    })
  }

  /** Counts the call's tokens and the time to its first chunk; gives the attributes of its span. A hook's own call has no draft. */
  figures(meters: Meters | undefined, labels: Labels): Record<string, Value> {
    const { stage, draft } = this.#ctx
    const at = this.#firstHeardAt()
    const ms = at === undefined ? undefined : at - this.#began
    const told = stage === 'model' ? draftAttributes(draft) : {}
    const all = { ...labels, ...labelsOf(told) }
    if (ms !== undefined) meters?.firstChunk(ms, all)
    if (stage === 'model' && draft.usage) meters?.used(draft.usage, all)
    return ms === undefined ? told : { ...told, 'gen_ai.response.time_to_first_chunk': ms / 1000 }
  }
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
  metric: {
    name: 'gen_ai.execute_tool.duration',
    labels: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'gen_ai.tool.type': 'function' },
  },
})

interface Description {
  readonly name: string
  readonly kind: number
  readonly attributes: Record<string, Value>
  /** The histogram of its duration, and what the duration is counted by. */
  readonly metric: { readonly name: string; readonly labels: Labels }
}

/** The span of an operation, and where its figures go. */
interface Told {
  readonly span: TelemetrySpan
  readonly meters: Meters | undefined
}

/** Begins, nests and ends spans. Holds nothing of a turn longer than the turn itself is held. */
class Spans {
  readonly #given: TelemetryApi | undefined
  #loading: Promise<TelemetryApi> | undefined
  readonly #turns = new WeakMap<Turn, unknown>()
  readonly #begun = new WeakSet<Turn>()
  #metered: { readonly by: TelemetryMeter; readonly meters: Meters } | undefined

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

  /** Runs `next` in a span. What it gave adds attributes; its error marks the span and goes on. Figures are counted also where nobody samples. */
  async around<Result>(
    ctx: Context,
    { name, kind, attributes, metric }: Description,
    next: () => Promise<Result>,
    describe: (result: Result, told: Told) => Record<string, Value>,
  ): Promise<Result> {
    const api = this.#given ?? (await this.#load())
    const parent = ctx.stage === 'turn' ? api.context.active() : (this.#turns.get(ctx.turn) ?? api.context.active())
    const options = { kind, attributes: { ...attributes, 'gen_ai.conversation.id': ctx.conversation.id } }
    const span = api.trace.getTracer('turnbuckle').startSpan(name, options, parent)
    const told = { span, meters: this.#metersOf(api) }
    if (!span.isRecording() && !told.meters) return next()
    const inside = api.trace.setSpan(parent, span)
    if (ctx.stage === 'turn') this.#turns.set(ctx.turn, inside)
    const began = ctx.clock.now()
    let { labels } = metric
    try {
      const result = (await api.context.with(inside, next)) as Result
      const attributes = describe(result, told)
      span.setAttributes(attributes)
      labels = { ...labels, ...labelsOf(attributes) }
      return result
    } catch (error) {
      fails(span, error, ctx.stage)
      labels = { ...labels, 'error.type': errorKindIn(error, ctx.stage) }
      throw error
    } finally {
      told.meters?.duration(metric.name, ctx.clock.now() - began, labels)
      span.end()
    }
  }

  /** Instruments are made once for an API; one that has no metrics gets none. */
  #metersOf(api: TelemetryApi): Meters | undefined {
    const meter = api.metrics?.getMeter('turnbuckle')
    if (meter && meter !== this.#metered?.by) this.#metered = { by: meter, meters: new Meters(meter) }
    return meter && this.#metered?.meters
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
  metric: {
    name: 'gen_ai.invoke_agent.duration',
    labels: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent.name },
  },
})

function ended({ status, reason, by, usage, error }: TurnResult, { span }: Told): Record<string, Value> {
  if (status === 'failed') fails(span, error ?? reason)
  return {
    ...(status === 'failed' ? { 'error.type': errorKindIn(error ?? reason, 'turn') } : {}),
    ...usageAttributes(usage),
    'turnbuckle.turn.status': status,
    'turnbuckle.turn.reason': reason,
    'turnbuckle.turn.by': by,
  }
}

/** Attributes of a span that its duration is counted by too. */
const labelNames = ['gen_ai.response.model', 'error.type'] as const
const labelsOf = (attributes: Record<string, Value>): Labels =>
  Object.fromEntries(labelNames.flatMap(name => (attributes[name] === undefined ? [] : [[name, attributes[name]]])))

function fails(span: TelemetrySpan, error: unknown, stage = 'turn'): void {
  span.setAttributes({ 'error.type': errorKindIn(error, stage) })
  span.setStatus({ code: failed, message: messageOf(error) })
}
