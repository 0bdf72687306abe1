import { TurnbuckleError } from '../core/base/errors.ts'
import type { Model, Prompt, ProviderTool, StreamOptions } from '../core/base/ports.ts'
import { hasKeptFile, wholeMessages } from '../core/model/whole-messages.ts'
import { type CallParams, callParams } from './call-params.ts'
import { type Price, priceOf } from './prices.ts'
import { cacheMarks } from './prompt-cache.ts'
import { providerError } from './provider-error.ts'
import { PromptForms } from './provider-prompt.ts'
import type { ProviderModel, SupportedUrls } from './provider-spec.ts'
import { type Reading, readParts } from './provider-stream.ts'
import { toolsFor } from './provider-tools.ts'
import { asksForMore } from './provider-usage.ts'

/** The options of `aiSdk`. */
export interface AiSdkOptions {
  /** `provider/model` by default. */
  readonly id?: string
  /** For every call; those of the prompt come over them. */
  readonly params?: CallParams
  /** Tools that the provider runs itself, by the name the model knows them by. Those that we run are `tool({ provider, run })`. */
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
  if (typeof provider?.doStream !== 'function' || typeof provider.provider !== 'string')
    throw new TurnbuckleError('model.invalid', "aiSdk takes a provider's model: aiSdk(anthropic('claude-...')).")
  const { specificationVersion: spec, modelId } = provider
  const vendor = provider.provider.split('.')[0] ?? provider.provider
  const { id = `${vendor}/${modelId}`, finish = 'required', price = listPrice(provider) } = options
  if (!specs.includes(spec))
    throw new TurnbuckleError(
      'model.spec',
      `${id} speaks spec ${spec}; ${specs.join(', ')} are known. Install another major version of its package.`,
    )
  const pauses = vendor === 'anthropic'
  const reading: Omit<Reading, 'tools'> = { model: id, price: price || undefined, finish, pauses }
  const target = { provider: provider.provider, spec, own: options.providerTools }
  let forms: PromptForms | undefined
  return {
    id,
    ...(price ? { price } : {}),
    async *stream(given, { signal, onRequest, readFile }) {
      try {
        const prompt = await wholePrompt(given, readFile)
        forms ??= new PromptForms({
          spec,
          name: id,
          urls: await supportedUrls(provider),
          filesInResults: takesFilesInResults(provider),
          shows: shownKinds(provider),
          endsWithUser: /^(anthropic|google)/.test(provider.provider),
          blankText: !/anthropic|bedrock/.test(provider.provider),
        })
        const marks = cacheMarks(prompt.params)
        const params = callParams(defaults(provider.provider), options.params, prompt.params)
        const call = {
          ...params,
          prompt: forms.prompt(prompt, marks),
          ...toolsFor(prompt.tools, target, marks),
          abortSignal: signal,
        }
        onRequest?.(withoutHeaders(call))
        const { stream } = await provider.doStream(call as never)
        const price = asksForMore(params.providerOptions) ? undefined : reading.price
        yield* readParts(stream, { ...reading, price, tools: prompt.tools })
      } catch (error) {
        throw providerError(error, id)
      }
    },
  }
}

/** The prompt with the bytes of kept files; without any it is the same. */
async function wholePrompt(prompt: Prompt, readFile: StreamOptions['readFile']): Promise<Prompt> {
  const { messages } = prompt
  if (!messages.some(hasKeptFile)) return prompt
  return { ...prompt, messages: await wholeMessages(messages, readFile) }
}

/** A call to show: headers may hold keys, and a signal says nothing. */
function withoutHeaders(call: object): object {
  const { headers: _headers, abortSignal: _signal, ...shown } = call as Record<string, unknown>
  return shown
}

/** Vertex says that it is Google, and has prices of its own. */
const listPrice = ({ provider, modelId }: ProviderModel): Price | undefined =>
  provider.includes('vertex') ? undefined : priceOf(`${provider.split('.')[0]}/${modelId}`)

const supportedUrls = async ({ supportedUrls = {} }: ProviderModel): Promise<SupportedUrls> => supportedUrls

/** The others drop such a file, or send it as text. */
const takesFilesInResults = ({ provider, specificationVersion: spec }: ProviderModel): boolean =>
  provider.startsWith('anthropic') || (provider === 'openai.responses' && spec !== 'v2')

function shownKinds({ provider }: ProviderModel): RegExp {
  if (provider.startsWith('google')) return /^image\/(png|jpeg|webp)$|^(audio|video)\/|^application\/pdf$/
  const known = /^(anthropic|openai)/.test(provider)
  return known ? /^image\/(png|jpeg|gif|webp)$|^application\/pdf$/ : /^image\/(png|jpeg|gif|webp)$/
}

/** The history is ours: it may be edited and forked, so the provider must not look things up in its own. */
const defaults = (provider: string): CallParams =>
  provider === 'openai.responses' ? { providerOptions: { openai: { store: false } } } : {}
