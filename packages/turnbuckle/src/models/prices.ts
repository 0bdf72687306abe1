import type { Price } from '../core/base/ports.ts'

export type { Price }

/** Anthropic's caches: a tenth to read, a quarter more to write. */
const claude = (input: number, output: number, more: Partial<Price> = {}): Price => ({
  input,
  output,
  cacheRead: input / 10,
  cacheWrite: input * 1.25,
  ...more,
})
const cached = (input: number, output: number, cacheRead: number, more: Partial<Price> = {}): Price => ({
  input,
  output,
  cacheRead,
  ...more,
})

/**
 * List prices of models by `provider/model`, standard service tier. A date after the name is the same model, unless it is
 * here itself. A model that is not here, or is `undefined`, has no price, which is better than a wrong one. Looked up on
 * 2026-11-16: on the provider's own pages, or, where the comment names them, in two independent copies of those pages that
 * say the same. A figure that is told in two ways is left out.
 */
export const prices: Readonly<Record<string, Price | undefined>> = {
  // platform.claude.com/docs/en/about-claude/pricing, and each model's overview there
  'anthropic/claude-fable-5-1': claude(10, 50, { cacheRead: 0.25 }),
  'anthropic/claude-fable-5': claude(10, 50),
  // Without cache prices: the pricing page and the model's overview differ on them.
  'anthropic/claude-opus-5-5': { input: 4, output: 20 },
  'anthropic/claude-opus-5': claude(5, 25),
  'anthropic/claude-opus-4-8': claude(5, 25, { upTo: 200_000 }),
  'anthropic/claude-opus-4-7': claude(5, 25, { upTo: 200_000 }),
  'anthropic/claude-opus-4-6': claude(5, 25, { upTo: 200_000 }),
  'anthropic/claude-opus-4-5': claude(5, 25),
  'anthropic/claude-opus-4-1': claude(15, 75),
  'anthropic/claude-opus-4-0': claude(15, 75),
  'anthropic/claude-opus-4': claude(15, 75),
  'anthropic/claude-sonnet-5-5': claude(2, 10),
  'anthropic/claude-sonnet-5': claude(2, 10),
  'anthropic/claude-sonnet-4-6': claude(3, 15, { upTo: 200_000 }),
  'anthropic/claude-sonnet-4-5': claude(3, 15, { upTo: 200_000 }),
  'anthropic/claude-sonnet-4-0': claude(3, 15, { upTo: 200_000 }),
  'anthropic/claude-sonnet-4': claude(3, 15, { upTo: 200_000 }),
  'anthropic/claude-haiku-4-5': claude(1, 5),
  // developers.openai.com/api/docs/models/gpt-5-mini
  'openai/gpt-5-mini': cached(0.25, 2, 0.025),
  // developers.openai.com/api/docs/pricing in github.com/simonw/llm-prices, data/openai.json, and in
  // github.com/api-evangelist/openai, plans/openai-plans-pricing.yml
  'openai/gpt-5.5': cached(5, 30, 0.5, { upTo: 200_000 }),
  'openai/gpt-5.4': cached(2.5, 15, 0.25, { upTo: 200_000 }),
  'openai/gpt-5.4-mini': cached(0.75, 4.5, 0.075, { upTo: 200_000 }),
  'openai/gpt-5.4-nano': cached(0.2, 1.25, 0.02, { upTo: 200_000 }),
  // the first, and github.com/Expensify/App, scripts/chatGPTCostEstimator.ts
  'openai/gpt-5.1': cached(1.25, 10, 0.125),
  // the first, and docs.rs/openai-cost, which tells another price of caches
  'openai/gpt-5': { input: 1.25, output: 10 },
  // the first, and github.com/github/docs, data/tables/copilot/models-and-pricing.yml
  'openai/gpt-5.2': cached(1.75, 14, 0.175),
  'openai/gpt-4.1': cached(2, 8, 0.5),
  // the first, and docs.rs/openai-models
  'openai/gpt-4o': cached(2.5, 10, 1.25),
  'openai/gpt-4o-mini': cached(0.15, 0.6, 0.075),
  // The first of its name had another price.
  'openai/gpt-4o-2024-05-13': undefined,
  // ai.google.dev/gemini-api/docs/pricing in github.com/simonw/llm-prices, data/google.json, and in
  // github.com/api-evangelist/deepmind, plans/deepmind-plans-pricing.yml
  'google/gemini-3.5-flash': { input: 1.5, output: 9 },
  'google/gemini-3.5-flash-lite': { input: 0.3, output: 2.5 },
  'google/gemini-3.1-pro-preview': { input: 2, output: 12, upTo: 200_000 },
  // the first, and docs.rs/gemini-cost
  'google/gemini-2.5-pro': { input: 1.25, output: 10, upTo: 200_000 },
}

const date = /-(\d{8}|\d{4}-\d{2}-\d{2})$/

/** The price of a model, or nothing where it is not known. */
export function priceOf(id: string, table: Readonly<Record<string, Price | undefined>> = prices): Price | undefined {
  const name = [id, id.replace(date, '')].find(name => Object.hasOwn(table, name))
  return name === undefined ? undefined : table[name]
}

/** The tokens of a model call. `input` includes those read from and written to a cache. */
export interface Tokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** In US dollars; nothing where a part of it has no known price. */
export function costOf(tokens: Tokens, price: Price): number | undefined {
  if (price.upTo !== undefined && tokens.input > price.upTo) return undefined
  const fresh = tokens.input - tokens.cacheRead - tokens.cacheWrite
  let sum = fresh * price.input + tokens.output * price.output
  for (const kind of ['cacheRead', 'cacheWrite'] as const) {
    if (!tokens[kind]) continue
    const each = price[kind]
    if (each === undefined) return undefined
    sum += tokens[kind] * each
  }
  return sum / 1_000_000
}
