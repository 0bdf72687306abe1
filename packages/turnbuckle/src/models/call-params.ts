import { isStrictSchema } from './strict-schema.ts'

/** Parameters of a call, as every AI SDK provider knows them. `prompt.params` may have any of these. */
export interface CallParams {
  /** The most tokens of the reply. */
  readonly maxOutputTokens?: number
  /** Randomness of the reply; 0 is least. */
  readonly temperature?: number
  /** Samples from the likeliest tokens up to this probability. */
  readonly topP?: number
  /** Samples from so many of the likeliest tokens. */
  readonly topK?: number
  /** Makes words that were used at all less likely. */
  readonly presencePenalty?: number
  /** Makes words that were used often less likely. */
  readonly frequencyPenalty?: number
  /** Texts that end the reply. */
  readonly stopSequences?: readonly string[]
  /** Makes sampling repeatable, where the provider can do that. */
  readonly seed?: number
  /** The reasoning effort; spec v4. */
  readonly reasoning?: string
  /** Structured output, where the provider has it. */
  readonly responseFormat?:
    | { readonly type: 'text' }
    | { readonly type: 'json'; readonly schema?: object; readonly name?: string; readonly description?: string }
  /** Whether the model may, must or must not call a tool, or which one. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly type: 'tool'; readonly toolName: string }
  /** HTTP headers of the request to the provider. */
  readonly headers?: Readonly<Record<string, string>>
  /** Options of one provider alone, by its name. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Parameters that are passed on as they are: one of `CallParams` that is not here is a type error. */
const plain = {
  maxOutputTokens: true,
  temperature: true,
  topP: true,
  topK: true,
  presencePenalty: true,
  frequencyPenalty: true,
  stopSequences: true,
  seed: true,
  reasoning: true,
  responseFormat: true,
  headers: true,
} satisfies Record<Exclude<keyof CallParams, 'toolChoice' | 'providerOptions'>, true>
const known = Object.keys(plain) as (keyof typeof plain)[]

type Params = Record<string, unknown> & { providerOptions?: Record<string, Readonly<Record<string, unknown>>> }

/** The parameters of one call. Later layers come over earlier ones; provider options are joined by provider. */
export function callParams(...layers: readonly (CallParams | undefined)[]): Params {
  const all: CallParams = Object.assign({}, ...layers)
  const call: Record<string, unknown> = {}
  for (const name of known) if (all[name] !== undefined) call[name] = all[name]
  const { toolChoice } = all
  if (toolChoice !== undefined) call.toolChoice = typeof toolChoice === 'string' ? { type: toolChoice } : toolChoice
  const providerOptions = joined([lenient(all), ...layers])
  if (Object.keys(providerOptions).length) call.providerOptions = providerOptions
  return call
}

const lenient = ({ responseFormat: format }: CallParams): CallParams =>
  format?.type === 'json' && !isStrictSchema(format.schema)
    ? { providerOptions: { openai: { strictJsonSchema: false } } }
    : {}

function joined(layers: readonly (CallParams | undefined)[]): NonNullable<Params['providerOptions']> {
  const options: NonNullable<Params['providerOptions']> = {}
  for (const layer of layers)
    for (const [vendor, values] of Object.entries(layer?.providerOptions ?? {}))
      options[vendor] = { ...options[vendor], ...values }
  return options
}
