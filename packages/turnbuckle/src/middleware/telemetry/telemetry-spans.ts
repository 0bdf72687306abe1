import { messageOf } from '../../core/base/errors.ts'
import type { AfterContext, BeforeContext, Context } from '../../core/hooks/hook-types.ts'
import { errorKindIn } from '../../core/stages/built-in-stages.ts'
import type { Turn, TurnResult } from '../../core/types/turn.ts'
import { usageAttributes, type Value } from './telemetry-attributes.ts'
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

/** Kinds of spans, as OpenTelemetry numbers them. */
export const internal = 0
export const client = 2
/** The status of a span that failed. */
const failed = 2

/** A span to begin. */
export interface SpanDescription {
  readonly name: string
  readonly kind: number
  readonly attributes: Record<string, Value>
  /** The histogram of its duration, and what the duration is counted by. */
  readonly metric: { readonly name: string; readonly labels: Labels }
  /** The span of a whole turn, which all other spans of the turn are inside of. */
  readonly isOfTurn?: boolean
}

/** The span of an operation, and where its figures go. */
export interface Told {
  readonly span: TelemetrySpan
  readonly meters: Meters | undefined
}

/** Begins, nests and ends spans. Holds nothing of a turn longer than the turn itself is held. */
export class TelemetrySpans {
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
    { name, kind, attributes, metric, isOfTurn }: SpanDescription,
    next: () => Promise<Result>,
    describe: (result: Result, told: Told) => Record<string, Value>,
  ): Promise<Result> {
    const api = this.#given ?? (await this.#load())
    const parent = (isOfTurn ? undefined : this.#turns.get(ctx.turn)) ?? api.context.active()
    const options = { kind, attributes: { ...attributes, 'gen_ai.conversation.id': ctx.conversation.id } }
    const span = api.trace.getTracer('turnbuckle').startSpan(name, options, parent)
    const told = { span, meters: this.#metersOf(api) }
    if (!span.isRecording() && !told.meters) return next()
    const inside = api.trace.setSpan(parent, span)
    if (isOfTurn) this.#turns.set(ctx.turn, inside)
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

const invocation = ({ agent, turn }: Context): SpanDescription => ({
  name: `invoke_agent ${agent.name}`,
  kind: internal,
  isOfTurn: true,
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

const labelNames = ['gen_ai.response.model', 'error.type'] as const
/** Attributes of a span that its duration is counted by too. */
export const labelsOf = (attributes: Record<string, Value>): Labels =>
  Object.fromEntries(labelNames.flatMap(name => (attributes[name] === undefined ? [] : [[name, attributes[name]]])))

function fails(span: TelemetrySpan, error: unknown, stage = 'turn'): void {
  span.setAttributes({ 'error.type': errorKindIn(error, stage) })
  span.setStatus({ code: failed, message: messageOf(error) })
}
