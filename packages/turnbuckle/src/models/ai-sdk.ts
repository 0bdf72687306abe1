import { TurnbuckleError } from '../core/errors.ts'
import type { Model, Prompt, ToolSpec } from '../core/ports.ts'
import { type Price, priceOf } from './prices.ts'
import { providerError } from './provider-error.ts'
import { PromptForms } from './provider-prompt.ts'
import type { ProviderModel, SupportedUrls } from './provider-spec.ts'
import { type Reading, readParts } from './provider-stream.ts'

/** Parameters of a call, as every AI SDK provider knows them. `prompt.params` may have any of these. */
export interface CallParams {
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly stopSequences?: readonly string[]
  readonly seed?: number
  /** How much to think; spec v4. */
  readonly reasoning?: string
  /** Structured output, where the provider has it. */
  readonly responseFormat?:
    | { readonly type: 'text' }
    | { readonly type: 'json'; readonly schema?: object; readonly name?: string; readonly description?: string }
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly type: 'tool'; readonly toolName: string }
  readonly headers?: Readonly<Record<string, string>>
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A tool that the provider runs: `anthropic.tools.webSearch_20250305()` and the like. */
export interface ProviderTool {
  readonly id: string
  readonly args?: Readonly<Record<string, unknown>>
}

export interface AiSdkOptions {
  /** `provider/model` by default. */
  readonly id?: string
  /** For every call; those of the prompt come over them. */
  readonly params?: CallParams
  /** By the name the model knows them by. */
  readonly providerTools?: Readonly<Record<string, ProviderTool>>
  /** Instead of the list price; `false` for no cost at all. */
  readonly price?: Price | false
  /** `optional` for servers that never say why a reply ended. Then a cut reply cannot be told from a whole one. */
  readonly finish?: 'required' | 'optional'
}

const specs: readonly string[] = ['v2', 'v3', 'v4']

/**
 * Any AI SDK provider model.
 *
 * ```ts
 * createAgent({ model: aiSdk(anthropic('claude-sonnet-4-5')) })
 * ```
 */
export function aiSdk(provider: ProviderModel, options: AiSdkOptions = {}): Model {
  const { specificationVersion: spec, modelId } = provider
  const vendor = provider.provider.split('.')[0] ?? provider.provider
  const { id = `${vendor}/${modelId}`, finish = 'required', price = priceOf(`${vendor}/${modelId}`) } = options
  if (!specs.includes(spec))
    throw new TurnbuckleError(
      'model.spec',
      `${id} speaks spec ${spec}; ${specs.join(', ')} are known. Install another major version of its package.`,
    )
  const reading: Reading = { model: id, price: price || undefined, finish }
  let forms: PromptForms | undefined
  return {
    id,
    async *stream(prompt, { signal }) {
      try {
        forms ??= new PromptForms({ spec, name: id, urls: await supportedUrls(provider) })
        const call = {
          ...callParams({ ...defaults(provider.provider), ...options.params }, prompt.params),
          prompt: forms.prompt(prompt),
          ...toolsFor(prompt.tools, options.providerTools, spec),
          abortSignal: signal,
        }
        const { stream } = await provider.doStream(call as never)
        yield* readParts(stream, reading)
      } catch (error) {
        throw providerError(error, id)
      }
    },
  }
}

const supportedUrls = async ({ supportedUrls = {} }: ProviderModel): Promise<SupportedUrls> => supportedUrls

/** The history is ours: it may be edited and forked, so the provider must not look things up in its own. */
const defaults = (provider: string): CallParams =>
  provider === 'openai.responses' ? { providerOptions: { openai: { store: false } } } : {}

const known: readonly (keyof CallParams)[] = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'seed',
  'reasoning',
  'responseFormat',
  'headers',
]

function callParams(given: CallParams, params: Prompt['params']): Record<string, unknown> {
  const now = params as CallParams
  const merged: Record<string, unknown> = {}
  for (const name of known) {
    const value = now[name] ?? given[name]
    if (value !== undefined) merged[name] = value
  }
  const { providerOptions = {} } = now
  const combined: Record<string, object> = { ...given.providerOptions }
  for (const [vendor, values] of Object.entries(providerOptions)) combined[vendor] = { ...combined[vendor], ...values }
  if (Object.keys(combined).length) merged.providerOptions = combined
  const choice = now.toolChoice ?? given.toolChoice
  if (choice !== undefined) merged.toolChoice = typeof choice === 'string' ? { type: choice } : choice
  return merged
}

const toolForms = new WeakMap<readonly ToolSpec[], readonly object[]>()

function toolsFor(
  tools: readonly ToolSpec[],
  own: Readonly<Record<string, ProviderTool>> = {},
  spec: string,
): { tools?: readonly object[] } {
  let functions = toolForms.get(tools)
  if (!functions) {
    functions = tools.map(({ name, description, schema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: schema,
    }))
    toolForms.set(tools, functions)
  }
  const type = spec === 'v2' ? 'provider-defined' : 'provider'
  const run = Object.entries(own).map(([name, { id, args = {} }]) => ({ type, id, name, args }))
  const all = run.length ? [...functions, ...run] : functions
  return all.length ? { tools: all } : {}
}
