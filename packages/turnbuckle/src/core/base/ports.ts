import type { Call, Message, Part, ToolResult } from './message.ts'

/** Tokens and cost of one model call, or a sum of them. `cost` is absent where the price of a call is not known, never guessed. */
export interface Usage {
  /** Tokens of the prompt. */
  readonly inputTokens: number
  /** Tokens of the reply. */
  readonly outputTokens: number
  /** Those of `inputTokens` that the provider read from its cache, where it says so. */
  readonly cachedInputTokens?: number
  /** Those of `outputTokens` that the model thought with, where the provider says so. */
  readonly reasoningTokens?: number
  /** In US dollars, where the price of every call is known. */
  readonly cost?: number
  /** Set on a sum without `cost`: the cost of the calls that have told theirs. */
  readonly knownCost?: number
  /** Set on a sum without `cost`: the number of model calls whose cost is not known. */
  readonly unknownCalls?: number
  /** Some of the tokens are an estimate, because a model did not say what it used. */
  readonly estimated?: boolean
}

/** A tool as the model is told of it. */
export interface ToolSpec {
  /** The name that the model calls it by. */
  readonly name: string
  /** The tool's purpose, for the model. */
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly schema: object
  /** A tool that the provider has trained its model for, which it is told of by this instead of name and schema. */
  readonly provider?: ProviderTool | undefined
}

/** A tool that a provider defines: `anthropic.tools.bash_20250124()` of its AI SDK package, or the same by hand. */
export interface ProviderTool {
  /** The provider's name of the tool: `openai.web_search`. */
  readonly id: string
  /** The settings of the provider's tool. */
  readonly args?: Readonly<Record<string, unknown>>
}

/** The content of one model call. Built fresh for each attempt; changing it never changes the history. */
export interface Prompt {
  /** The messages of the path, as they will be sent. */
  messages: readonly Message[]
  /** The tools that the model may call. */
  tools: readonly ToolSpec[]
  /** The system text. */
  instructions: string
  /** Parameters of the model: `temperature` and the like. */
  params: Readonly<Record<string, unknown>>
  /** Another model than the agent's, for this call. */
  model?: Model
}

/** A piece of a reply, as a model streams it and `onChunk` sees it. */
export type Chunk =
  /** `meta`: for the provider to see again. It closes the part: what follows is another one. So does `end`, without any. */
  | { readonly type: 'text'; readonly text: string; readonly meta?: unknown; readonly end?: true }
  | { readonly type: 'reasoning'; readonly text: string; readonly meta?: unknown; readonly end?: true }
  /** `args`: the parsed value, or JSON text, which is parsed and validated once. `byProvider`, `approval`: as in the part. */
  | {
      readonly type: 'call'
      readonly id: string
      readonly name: string
      readonly args: unknown
      readonly byProvider?: true
      readonly approval?: string
      readonly meta?: unknown
    }
  /** A piece of a call's arguments, as JSON text, while they are being written. Shown, never run: the whole `call` follows. */
  | { readonly type: 'calling'; readonly id: string; readonly name: string; readonly text: string }
  /** The result of a call that the provider ran itself, in this reply or in an earlier one. */
  | ({ readonly type: 'result'; readonly id: string; readonly name: string; readonly meta?: unknown } & ToolResult)
  /** A source stands beside the text it is for: that goes on behind it. */
  | Extract<Part, { type: 'file' | 'source' | 'custom' }>
  | ({ readonly type: 'usage' } & Usage)
  /**
   * `pause`: the provider has stopped in mid-work, and goes on in the next step. `text`: the words of a refusal, where a provider tells
   * them apart. They are shown as the reply's. `response`: the provider's name for the reply, and the model that has made it.
   */
  | { readonly type: 'finish'; readonly reason: string; readonly text?: string; readonly response?: ResponseFacts }
  /** A setting or part that the provider could not honour. */
  | { readonly type: 'warning'; readonly text: string }

/** A reply as its provider knows it. */
export interface ResponseFacts {
  /** The provider's id of the reply. */
  readonly id?: string
  /** The model that has made it, where that is told: a name may stand for several. */
  readonly model?: string
}

/** The things that a model is handed besides the prompt. */
export interface StreamOptions {
  /** Aborted when nobody waits for the reply any more. */
  readonly signal: AbortSignal
  /** The agent's, for a model that waits. */
  readonly clock?: Clock
  /**
   * Given to a model whose `loop` is `intercept`: runs calls through every stage and hook. What is asked for in one moment, also by
   * several calls of it, is one message whose calls run side by side; what is asked for while that runs comes next.
   */
  readonly runTools?: (calls: readonly Omit<Call, 'type'>[]) => Promise<Returned>
  /** Told the request as the provider's package gets it, for the inspector; without headers, which may hold keys. */
  readonly onRequest?: ((request: unknown) => void) | undefined
  /** Reads a file that is kept beside the log, by the id behind `turnbuckle-file:` in a part's `data`: Base64, or nothing where it is gone. */
  readonly readFile?: ((id: string) => Promise<string | undefined>) | undefined
}

/** The answer to `runTools` of a managed loop: a result for each call, in call order, and the interjections since. */
export interface Returned {
  /** `args`: what it ran with, where a person has changed that. */
  readonly results: readonly (ToolResult & { readonly args?: unknown })[]
  /** Messages that people have said meanwhile, to go on with. */
  readonly interjections: readonly Message[]
}

/** US dollars per million tokens. */
export interface Price {
  /** Tokens of the prompt. */
  readonly input: number
  /** Tokens of the reply. */
  readonly output: number
  /** Tokens read from the provider's cache. */
  readonly cacheRead?: number
  /** Tokens written to the provider's cache. */
  readonly cacheWrite?: number
  /** More input tokens than this cost more, at a price that is not here. */
  readonly upTo?: number
}

/** The port that anyone may implement. Chunks may come one by one or in arrays. */
export interface Model {
  /** The model's name, for traces, caches and prices. */
  readonly id: string
  /** The price of its tokens, where it is known: for estimates while a reply is written. What a call cost is told by its usage. */
  readonly price?: Price
  /** Set when the model runs the tool loop itself: through our tools (`intercept`), or reporting what it did (`observe`). */
  readonly loop?: 'intercept' | 'observe'
  /** Streams one reply: text and calls as they are written, then usage and `finish`. */
  stream(prompt: Prompt, options: StreamOptions): AsyncIterable<Chunk | readonly Chunk[]>
}

/** The source of time, so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds with fractions, where the platform has them, and independent of the system time: for measuring. */
  precise?(): number
  /** Calls `run` once after `ms`; the function it returns calls that off. */
  after(ms: number, run: () => void): () => void
}

/** The source of ids, so that tests can know them. */
export interface Ids {
  /** A new id for a thing of that kind: `turn`, `msg`. */
  next(kind: string): string
}

/** Any Standard Schema: zod, valibot, arktype, … */
export interface Schema<Output = unknown> {
  /** The members that the Standard Schema specification asks for. */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

const { timeOrigin } = performance

export const systemClock: Clock = {
  now: () => Date.now(),
  precise: () => timeOrigin + performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

// Joined, not added: a UUID comes in pieces, which an engine would keep, at 500 bytes for each id.
export const randomIds: Ids = { next: kind => [kind, crypto.randomUUID()].join('_') }

/** Ends a stream without waiting for it: a generator that is stuck notices late, and some throw on `return`. */
export function abandon(iterator: AsyncIterator<unknown>): void {
  try {
    iterator.return?.()?.then(undefined, () => {})
  } catch {}
}

/** True for a promise that foreign code returned: any thenable counts. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
