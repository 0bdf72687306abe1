import { isStrictSchema } from './strict-schema.ts'

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
  /** The reasoning effort; spec v4. */
  readonly reasoning?: string
  /** Structured output, where the provider has it. */
  readonly responseFormat?:
    | { readonly type: 'text' }
    | { readonly type: 'json'; readonly schema?: object; readonly name?: string; readonly description?: string }
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly type: 'tool'; readonly toolName: string }
  readonly headers?: Readonly<Record<string, string>>
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
