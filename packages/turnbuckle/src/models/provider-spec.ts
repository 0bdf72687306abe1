/**
 * The members that the adapter needs of an AI SDK provider model, spec v2, v3 or v4. Structural, so that no version of
 * `@ai-sdk/provider` has to be installed for the types.
 */
export interface ProviderModel {
  /** The version of the AI SDK's specification. */
  readonly specificationVersion: string
  /** The provider's name. */
  readonly provider: string
  /** The model's name at its provider. */
  readonly modelId: string
  /** Addresses of files that the provider fetches itself. */
  readonly supportedUrls?: PromiseLike<SupportedUrls> | SupportedUrls
  /** Streams a reply, as the AI SDK's specification says. */
  doStream(options: never): PromiseLike<{ readonly stream: PartStream }>
}

/** Media type (`image/*`, `*`) → the addresses that the provider fetches itself. */
export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>

/** A ReadableStream, as far as it is used: the name is not the same in every runtime's types. */
export interface PartStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
    cancel(reason?: unknown): Promise<void>
  }
}

export type Metadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A part of a provider's stream: the members of all kinds and specs that are read. Unknown kinds are passed over. */
export interface StreamPart {
  readonly type: string
  readonly id?: string
  readonly delta?: string
  readonly providerMetadata?: Metadata
  readonly toolCallId?: string
  readonly toolName?: string
  /** JSON text. */
  readonly input?: string
  readonly result?: unknown
  readonly isError?: boolean
  /** A result that a later one replaces. */
  readonly preliminary?: boolean
  readonly providerExecuted?: boolean
  readonly mediaType?: string
  /** Raw in v2 and v3, `{ type: 'data' | 'url', … }` in v4. */
  readonly data?: unknown
  readonly url?: string
  readonly title?: string
  readonly filename?: string
  /** Of a custom part. */
  readonly kind?: string
  readonly approvalId?: string
  /** Of `response-metadata`, whose `id` is the reply's. */
  readonly modelId?: string
  readonly warnings?: readonly ProviderWarning[]
  readonly usage?: ProviderUsage
  readonly finishReason?: string | { readonly unified: string; readonly raw?: string | undefined }
  readonly error?: unknown
}

export interface ProviderWarning {
  readonly type: string
  readonly message?: string
  readonly feature?: string
  readonly setting?: unknown
  readonly tool?: unknown
  readonly details?: string
}

type Count = number | undefined

/** Flat in v2, nested in v3 and v4. */
export interface ProviderUsage {
  readonly inputTokens?:
    | Count
    | { readonly total?: Count; readonly noCache?: Count; readonly cacheRead?: Count; readonly cacheWrite?: Count }
  readonly outputTokens?: Count | { readonly total?: Count; readonly reasoning?: Count }
  readonly cachedInputTokens?: Count
  readonly reasoningTokens?: Count
  readonly raw?: unknown
}

/** The model, as far as it is shown files. */
export interface Viewer {
  readonly name: string
  readonly urls: SupportedUrls
  /** The kinds of files of tools that it is sure to take: one that it refuses would fail every turn from then on. */
  readonly shows: RegExp
}

/** Which provider a prompt is for. */
export interface Target extends Viewer {
  readonly spec: string
  /** True where a tool's result may have files in it. */
  readonly filesInResults: boolean
  /** True where text may be blank, if it comes with the provider's own data. */
  readonly blankText: boolean
  /** True where a prompt that ends with the assistant is refused. */
  readonly endsWithUser?: boolean
}
