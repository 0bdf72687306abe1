import type { Usage } from 'turnbuckle'
import { priceOf, prices } from 'turnbuckle/models'
import { expect, test } from 'vitest'
import { costOf } from './prices.ts'
import type { Metadata, ProviderUsage } from './provider-spec.ts'
import { asksForMore, usageOf } from './provider-usage.ts'

test.each([
  { name: 'a model of the table', id: 'anthropic/claude-haiku-4-5', is: prices['anthropic/claude-haiku-4-5'] },
  {
    name: 'the same model with its date',
    id: 'anthropic/claude-haiku-4-5-20251001',
    is: prices['anthropic/claude-haiku-4-5'],
  },
  { name: 'a dated one that had another price', id: 'openai/gpt-4o-2024-05-13', is: undefined },
  { name: 'a dated one that has the same', id: 'openai/gpt-4o-2024-11-20', is: prices['openai/gpt-4o'] },
  { name: 'one nobody knows', id: 'openai/gpt-99', is: undefined },
  { name: 'a known model at another provider', id: 'compatible/gpt-4o', is: undefined },
  { name: 'a name of Object', id: 'toString', is: undefined },
])('the price of $name', ({ id, is }) => expect(priceOf(id)).toEqual(is))

const price = { input: 10, output: 100, cacheRead: 1, cacheWrite: 20, upTo: 5_000_000 }
const tokens = { input: 1_000_000, output: 1_000_000, cacheRead: 0, cacheWrite: 0 }

test.each([
  { name: 'fresh input and output', used: tokens, is: 110 },
  { name: 'what was read from a cache', used: { ...tokens, cacheRead: 1_000_000 }, is: 101 },
  { name: 'what was written to one', used: { ...tokens, cacheWrite: 500_000 }, is: 115 },
  { name: 'more input than the price is for', used: { ...tokens, input: 6_000_000 }, is: undefined },
])('the cost of $name', ({ used, is }) => expect(costOf(used, price)).toBe(is))

test('a cache without a known price leaves the cost out', () => {
  expect(costOf({ ...tokens, cacheRead: 1 }, { input: 10, output: 100 })).toBeUndefined()
})

const nested = { inputTokens: { total: 1000, cacheRead: 400, cacheWrite: 100 }, outputTokens: { total: 10 } }

test.each<{ name: string; usage: ProviderUsage | undefined; metadata?: Metadata; is: Usage }>([
  { name: 'v3 with caches', usage: nested, is: { inputTokens: 1000, outputTokens: 10, cost: 0.0084 } },
  {
    name: 'v2',
    usage: { inputTokens: 1000, outputTokens: 10 },
    is: { inputTokens: 1000, outputTokens: 10, cost: 0.011 },
  },
  {
    name: 'v2 with a cache, which providers count in two ways',
    usage: { inputTokens: 1000, outputTokens: 10, cachedInputTokens: 3 },
    is: { inputTokens: 1000, outputTokens: 10 },
  },
  {
    name: 'a cache written for an hour',
    usage: { ...nested, raw: { cache_creation: { ephemeral_1h_input_tokens: 100 } } },
    is: { inputTokens: 1000, outputTokens: 10 },
  },
  {
    name: 'another service tier',
    usage: { ...nested, raw: { service_tier: 'priority' } },
    is: { inputTokens: 1000, outputTokens: 10 },
  },
  {
    name: 'a tier that OpenAI tells aside',
    usage: nested,
    metadata: { openai: { serviceTier: 'flex' } },
    is: { inputTokens: 1000, outputTokens: 10 },
  },
  {
    name: 'the tier that Google calls the usual one',
    usage: nested,
    metadata: { google: { serviceTier: 'STANDARD', groundingMetadata: null } },
    is: { inputTokens: 1000, outputTokens: 10, cost: 0.0084 },
  },
  {
    name: 'a search that Google charges for',
    usage: nested,
    metadata: { google: { groundingMetadata: { webSearchQueries: ['x'] } } },
    is: { inputTokens: 1000, outputTokens: 10 },
  },
  {
    name: 'a region that costs more',
    usage: { ...nested, raw: { inference_geo: 'us' } },
    is: { inputTokens: 1000, outputTokens: 10 },
  },
  { name: 'no count', usage: { inputTokens: {}, outputTokens: {} }, is: { inputTokens: 0, outputTokens: 0 } },
  { name: 'nothing', usage: undefined, is: { inputTokens: 0, outputTokens: 0 } },
])('usage of $name', ({ usage, metadata, is }) => {
  const { cost, cachedInputTokens: _cached, ...counted } = usageOf(usage, metadata, price)
  expect(cost === undefined ? counted : { ...counted, cost: Number(cost.toFixed(9)) }).toEqual(is)
})

test('cached tokens are told', () => expect(usageOf(nested, undefined)).toMatchObject({ cachedInputTokens: 400 }))

test('no price means no cost', () => expect(usageOf(nested, undefined)).not.toHaveProperty('cost'))

test.each([
  { options: undefined, more: false },
  { options: { openai: { store: false, serviceTier: 'auto' } }, more: false },
  { options: { openai: { serviceTier: 'flex' } }, more: true },
  { options: { google: { serviceTier: 'priority' } }, more: true },
  { options: { anthropic: { speed: 'fast' } }, more: true },
  { options: { anthropic: { inferenceGeo: 'us' } }, more: true },
])('a call with $options asks for another price: $more', ({ options, more }) => expect(asksForMore(options)).toBe(more))
