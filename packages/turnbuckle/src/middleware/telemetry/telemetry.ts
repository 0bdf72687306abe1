import type { Call, Message } from '../../core/base/message.ts'
import { namingFiles } from '../../core/base/naming-files.ts'
import type { Prompt } from '../../core/base/ports.ts'
import type { Draft } from '../../core/hooks/draft.ts'
import type { Context, NextOptions } from '../../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../../core/hooks/middleware.ts'
import type { TurnResult } from '../../core/types/turn.ts'
import { checkOptions, type Shape } from '../check-options.ts'
import * as is from '../kinds.ts'
import { PerPrefix } from '../per-prefix.ts'
import {
  contentAttributes,
  draftAttributes,
  messageContent,
  modelName,
  promptAttributes,
  type Value,
} from './telemetry-attributes.ts'
import type { Labels, Meters } from './telemetry-meters.ts'
import {
  client,
  internal,
  labelsOf,
  type SpanDescription,
  type TelemetryApi,
  TelemetrySpans,
} from './telemetry-spans.ts'

/** The options of `telemetry`. */
export interface TelemetryOptions {
  /** The module `@opentelemetry/api`. Imported when the first turn begins, when it is not given. */
  readonly api?: TelemetryApi
  /** Records messages, arguments and results too. No by default: they may be private. */
  readonly content?: boolean
  /** `false`: a middleware without hooks, which costs nothing. */
  readonly enabled?: boolean
}

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
  const spans = new TelemetrySpans(options.api)
  const contents = content ? new MessageContents() : undefined
  const chat = (call: ModelCall) => inChatSpan(spans, call, contents)
  return middleware({
    name: 'telemetry',
    description: 'Sends traces and metrics to OpenTelemetry.',
    // Inside retries and fallbacks, so that each attempt is seen.
    priority: 1000,
    onFailure: 'open',
    wrapTurn: (ctx, next) => spans.turn(ctx, next as () => Promise<TurnResult>),
    afterTurn: ctx => spans.refused(ctx),
    wrapModel: (ctx, next) => chat({ ctx, draft: () => ctx.draft, messagesOf: ctx.conversation, next }),
    wrapGenerate: (ctx, next) => chat({ ctx, messagesOf: ctx.turn, next }),
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

/** Runs one attempt of a model call in its span. `contents`: where messages are recorded too. */
function inChatSpan(spans: TelemetrySpans, call: ModelCall, contents: MessageContents | undefined): Promise<Message> {
  const { ctx, messagesOf } = call
  const { provider, name } = modelName(ctx.prompt.model ?? ctx.agent.model)
  const labels = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': name,
  }
  const attributes = {
    ...labels,
    'gen_ai.request.stream': true,
    ...promptAttributes(ctx.prompt),
    ...(contents ? contentAttributes(ctx.prompt, contents.all(messagesOf, ctx.prompt.messages)) : {}),
  }
  const attempt = new TimedAttempt(call)
  const metric = { name: 'gen_ai.client.inference.duration', labels }
  return spans.around(ctx, { name: `chat ${name}`, kind: client, attributes, metric }, attempt.run, (reply, told) => ({
    ...attempt.figures(told.meters, labels),
    ...(contents ? { 'gen_ai.output.messages': asList(messageContent(reply)) } : {}),
  }))
}

/** The text of all messages grows at its end: what was written for a call before is not written again. */
class MessageContents {
  readonly #texts = new PerPrefix<string>((before, message) =>
    before === undefined ? messageContent(message) : `${before},${messageContent(message)}`,
  )

  all(of: object, messages: Prompt['messages']): string {
    return asList(this.#texts.of(of, messages).at(-1))
  }
}

const asList = (contents = ''): string => `[${contents}]`

/** A model call of the turn's own, or of a hook: that one has no draft, and messages beside those of the conversation. */
interface ModelCall {
  readonly ctx: Context & { readonly prompt: Prompt }
  readonly draft?: () => Draft
  /** The owner of the messages: they grow at their end. */
  readonly messagesOf: object
  readonly next: (input?: undefined, options?: NextOptions) => Promise<Message>
}

/** A model call whose first chunk is timed. Nothing hooks into its stream. */
class TimedAttempt {
  readonly #call: ModelCall
  #began = 0
  #firstHeardAt: () => number | undefined = () => undefined

  constructor(call: ModelCall) {
    this.#call = call
  }

  readonly run = (): Promise<Message> => {
    this.#began = this.#call.ctx.clock.elapsed()
    return this.#call.next(undefined, {
      until: (_end, _heardAt, firstHeardAt) => {
        this.#firstHeardAt = firstHeardAt
        return () => {}
      },
    })
  }

  /** Counts the call's tokens and the time to its first chunk; gives the attributes of its span. A hook's own call has no draft. */
  figures(meters: Meters | undefined, labels: Labels): Record<string, Value> {
    const draft = this.#call.draft?.()
    const at = this.#firstHeardAt()
    const ms = at === undefined ? undefined : at - this.#began
    const told = draft ? draftAttributes(draft) : {}
    const all = { ...labels, ...labelsOf(told) }
    if (ms !== undefined) meters?.firstChunk(ms, all)
    if (draft?.usage) meters?.used(draft.usage, all)
    return ms === undefined ? told : { ...told, 'gen_ai.response.time_to_first_chunk': ms / 1000 }
  }
}

const toolSpan = ({ id, name, args }: Omit<Call, 'type'>, content: boolean): SpanDescription => ({
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
