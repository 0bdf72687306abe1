import type { Metadata } from './provider-spec.ts'

/** The marks that the `promptCache` middleware leaves in `prompt.params`: cache everything up to and with these. */
export interface CacheMarks {
  readonly instructions: boolean
  readonly tools: boolean
  /** The ids of messages. */
  readonly messages: readonly string[]
  readonly ttl?: '5m' | '1h'
}

/** Reads the marks; anything else is none. */
export function cacheMarks(params: Readonly<Record<string, unknown>>): CacheMarks | undefined {
  const marks = params.promptCache as Partial<CacheMarks> | undefined
  return Array.isArray(marks?.messages) ? (marks as CacheMarks) : undefined
}

/** Anthropic caches what is marked; the other providers cache by themselves and pass this over. */
export const cached = <Form extends object>(form: Form, { ttl }: CacheMarks): Form & { providerOptions: Metadata } => ({
  ...form,
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral', ...(ttl ? { ttl } : {}) } } },
})
