import { type Environment, environment } from './resolve.ts'

/** In this order: the first key that exists decides. */
const byKey: readonly (readonly [key: string, model: string])[] = [
  ['ANTHROPIC_API_KEY', 'anthropic/claude-sonnet-5-5'],
  ['OPENAI_API_KEY', 'openai/gpt-5.5'],
  ['GOOGLE_GENERATIVE_AI_API_KEY', 'google/gemini-3.8-flash'],
]

/** The options of `defaultModel`. */
export interface DefaultModelOptions {
  /** Another `fetch`, for asking whether Ollama answers. */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds that a local Ollama has to answer. */
  readonly probeMs?: number
}

/** The name of the model to use when none is set: by the keys there are, else a local Ollama's, else `offline`. */
export async function defaultModel(
  env: Environment = environment(),
  { fetch = globalThis.fetch, probeMs = 300 }: DefaultModelOptions = {},
): Promise<string> {
  const keyed = byKey.find(([key]) => env[key])
  if (keyed) return keyed[1]
  const local = await firstOllamaModel(env.OLLAMA_BASE_URL || 'http://127.0.0.1:11434', fetch, probeMs)
  return local === undefined ? 'offline' : `ollama/${local}`
}

async function firstOllamaModel(
  address: string,
  fetch: typeof globalThis.fetch,
  ms: number,
): Promise<string | undefined> {
  try {
    const response = await fetch(new URL('/api/tags', address), { signal: AbortSignal.timeout(ms) })
    const { models } = (await response.json()) as { models?: readonly { readonly name?: unknown }[] }
    const name = models?.[0]?.name
    return response.ok && typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}
