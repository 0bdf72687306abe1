import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createAnthropic as createAnthropicV2 } from 'ai-sdk-anthropic-v2'
import { createAnthropic as createAnthropicV4 } from 'ai-sdk-anthropic-v4'
import { createGoogleGenerativeAI as createGoogleV2 } from 'ai-sdk-google-v2'
import { createGoogleGenerativeAI as createGoogleV4 } from 'ai-sdk-google-v4'
import { createOpenAI as createOpenAIV2 } from 'ai-sdk-openai-v2'
import { createOpenAI as createOpenAIV4 } from 'ai-sdk-openai-v4'
import type { ProviderModel } from 'turnbuckle/ai-sdk'
import type { Protocol } from './strict-requests.ts'

interface Provider {
  readonly name: string
  readonly protocol: Protocol
  make(origin: string, fetch: typeof globalThis.fetch): ProviderModel
}

const apiKey = 'none'

/** Real provider packages, each spec with the majors that speak it. */
export const providers: readonly Provider[] = [
  ...[
    { spec: 'v2', create: createOpenAIV2 },
    { spec: 'v3', create: createOpenAI },
    { spec: 'v4', create: createOpenAIV4 },
  ].flatMap(({ spec, create }): Provider[] => [
    {
      name: `OpenAI chat, ${spec}`,
      protocol: 'chat',
      make: (origin, fetch) => create({ apiKey, baseURL: `${origin}/v1`, fetch }).chat('gpt-4o'),
    },
    {
      name: `OpenAI Responses, ${spec}`,
      protocol: 'responses',
      make: (origin, fetch) => create({ apiKey, baseURL: `${origin}/v1`, fetch }).responses('gpt-5'),
    },
  ]),
  ...[
    { spec: 'v2', create: createAnthropicV2 },
    { spec: 'v3', create: createAnthropic },
    { spec: 'v4', create: createAnthropicV4 },
  ].map(
    ({ spec, create }): Provider => ({
      name: `Anthropic, ${spec}`,
      protocol: 'anthropic',
      make: (origin, fetch) => create({ apiKey, baseURL: `${origin}/v1`, fetch })('claude-sonnet-4-5'),
    }),
  ),
  ...[
    { spec: 'v2', create: createGoogleV2 },
    { spec: 'v3', create: createGoogleGenerativeAI },
    { spec: 'v4', create: createGoogleV4 },
  ].map(
    ({ spec, create }): Provider => ({
      name: `Gemini, ${spec}`,
      protocol: 'gemini',
      make: (origin, fetch) => create({ apiKey, baseURL: `${origin}/v1beta`, fetch })('gemini-2.5-flash'),
    }),
  ),
  {
    name: 'compatible, v3',
    protocol: 'chat',
    make: (origin, fetch) =>
      createOpenAICompatible({ name: 'compatible', apiKey, baseURL: `${origin}/v1`, fetch, includeUsage: true })('any'),
  },
]

/** Providers that speak OpenAI's form in a dialect of their own, by their recording. */
export const dialects: readonly (Omit<Provider, 'protocol'> & { readonly protocol: string })[] = [
  { name: 'DeepSeek: thoughts apart, arguments in small pieces', protocol: 'deepseek' },
  { name: 'Mistral: all calls in one piece, with the end', protocol: 'mistral' },
  { name: 'Groq: a call a piece, figures of its own', protocol: 'groq' },
].map(dialect => ({
  ...dialect,
  make: (origin, fetch) =>
    createOpenAICompatible({ name: 'compatible', apiKey, baseURL: `${origin}/v1`, fetch, includeUsage: true })('any'),
}))
