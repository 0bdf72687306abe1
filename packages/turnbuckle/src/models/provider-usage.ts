import type { Usage } from '../core/base/ports.ts'
import { costOf, type Price, type Tokens } from './prices.ts'
import type { Metadata, ProviderUsage } from './provider-spec.ts'

/** The usage that a provider reported, with its cost where that is certain. */
export function usageOf(usage: ProviderUsage | undefined, metadata: Metadata | undefined, price?: Price): Usage {
  const counted = tokensOf(usage)
  const cached = typeof usage?.inputTokens === 'object' ? usage.inputTokens.cacheRead : usage?.cachedInputTokens
  const reasoning = typeof usage?.outputTokens === 'object' ? usage.outputTokens.reasoning : usage?.reasoningTokens
  const cost = counted && price && !surcharged(usage, metadata) ? costOf(counted, price) : undefined
  return {
    inputTokens: counted?.input ?? amount(usage?.inputTokens) ?? 0,
    outputTokens: counted?.output ?? amount(usage?.outputTokens) ?? 0,
    ...(cached ? { cachedInputTokens: cached } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
    ...(cost === undefined ? {} : { cost }),
  }
}

type Amount = ProviderUsage['inputTokens'] | ProviderUsage['outputTokens']
const amount = (value: Amount): number | undefined => (typeof value === 'object' ? value.total : value)

/** The tokens, where the provider told enough to price them. */
function tokensOf(usage: ProviderUsage | undefined): Tokens | undefined {
  const input = amount(usage?.inputTokens)
  const output = amount(usage?.outputTokens)
  // Zero input tokens means that they were not counted: no call is free of input.
  if (!usage || !input || output === undefined) return undefined
  if (typeof usage.inputTokens === 'object') {
    const { cacheRead = 0, cacheWrite = 0 } = usage.inputTokens
    return { input, output, cacheRead, cacheWrite }
  }
  // In v2 some providers count cached tokens as input and some do not.
  return usage.cachedInputTokens ? undefined : { input, output, cacheRead: 0, cacheWrite: 0 }
}

type Asked = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

const usual: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  '',
  'standard',
  'default',
  'auto',
  'global',
  'not_available',
])
const isUsual = (value: unknown): boolean => usual.has(typeof value === 'string' ? value.toLowerCase() : value)

/** True where a call asks for another tier, speed or region, which has another price. Not every provider says so afterwards. */
export const asksForMore = (options: Asked | undefined): boolean =>
  Object.values(options ?? {}).some(asked => ![asked?.serviceTier, asked?.speed, asked?.inferenceGeo].every(isUsual))

/** Caches written for an hour, other tiers, speeds and regions, searches, and what v2 reports aside are not at the table's price. */
function surcharged(usage: ProviderUsage | undefined, metadata: Metadata | undefined): boolean {
  const raw = (usage?.raw ?? metadata?.anthropic?.usage ?? {}) as {
    readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number } | null
    readonly cache_creation_input_tokens?: number | null
    readonly service_tier?: unknown
    readonly speed?: unknown
    readonly inference_geo?: unknown
  }
  const { openai, google } = metadata ?? {}
  const terms = [raw.service_tier, raw.speed, raw.inference_geo, openai?.serviceTier, google?.serviceTier]
  const writtenInV2 = typeof usage?.inputTokens === 'number' && raw.cache_creation_input_tokens
  return Boolean(
    writtenInV2 || raw.cache_creation?.ephemeral_1h_input_tokens || google?.groundingMetadata || !terms.every(isUsual),
  )
}
