import { nearest, TurnbuckleError } from '../core/base/errors.ts'
import type { Model } from '../core/base/ports.ts'
import { type AiSdkOptions, aiSdk } from './ai-sdk.ts'
import { offline } from './offline.ts'
import type { ProviderModel } from './provider-spec.ts'
import { withoutKey } from './without-key.ts'

/** The environment variables that keys and endpoints of models are read from. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The options of `resolveModel`. */
export interface ResolveOptions extends AiSdkOptions {
  /** Keys and endpoints; the process's own by default. */
  readonly env?: Environment
  /** Imports a provider's package. */
  readonly load?: (name: string) => Promise<unknown>
}

interface Settings {
  readonly name: string
  readonly apiKey?: string
  readonly baseURL?: string
  readonly includeUsage: boolean
}

interface Provider {
  readonly package: string
  /** The package's factory. */
  readonly create: string
  readonly key?: string
  readonly keyRequired?: boolean
  readonly endpoint: string
  /** The path for an address that has none. */
  readonly path: string
  /** An address that is always there, or none: then it must be set. The package knows the others. */
  readonly at?: string
  readonly endpointRequired?: boolean
}

const compatible = { package: '@ai-sdk/openai-compatible', create: 'createOpenAICompatible', path: '/v1' }

const providers: Readonly<Record<string, Provider>> = {
  anthropic: {
    package: '@ai-sdk/anthropic',
    create: 'createAnthropic',
    key: 'ANTHROPIC_API_KEY',
    keyRequired: true,
    endpoint: 'ANTHROPIC_BASE_URL',
    path: '/v1',
  },
  openai: {
    package: '@ai-sdk/openai',
    create: 'createOpenAI',
    key: 'OPENAI_API_KEY',
    keyRequired: true,
    endpoint: 'OPENAI_BASE_URL',
    path: '/v1',
  },
  google: {
    package: '@ai-sdk/google',
    create: 'createGoogleGenerativeAI',
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    keyRequired: true,
    endpoint: 'GOOGLE_BASE_URL',
    path: '/v1beta',
  },
  ollama: { ...compatible, endpoint: 'OLLAMA_BASE_URL', at: 'http://127.0.0.1:11434' },
  compatible: { ...compatible, key: 'COMPATIBLE_API_KEY', endpoint: 'COMPATIBLE_BASE_URL', endpointRequired: true },
}

/**
 * The model that a name like `anthropic/claude-…` stands for: from the provider's package, with the key and the endpoint
 * of the environment. `offline` needs neither.
 */
export async function resolveModel(name: string, options: ResolveOptions = {}): Promise<Model> {
  if (name === 'offline') return offline()
  const { env = environment(), load = loadPackage, ...rest } = options
  const { provider, model, settings } = lookUp(name, env)
  const made = await factory(name, provider, load)
  return withoutKey(aiSdk(made(settings)(model), { id: name, ...rest }), settings.apiKey)
}

/** Throws what `resolveModel` would say of the name, the key and the address. Does not look for the provider's package. */
export function checkModel(name: string, env: Environment = environment()): void {
  if (name !== 'offline') lookUp(name, env)
}

function lookUp(name: string, env: Environment) {
  const slash = name.indexOf('/')
  const vendor = name.slice(0, Math.max(0, slash))
  const model = name.slice(slash + 1)
  const provider = Object.hasOwn(providers, vendor) ? providers[vendor] : undefined
  if (!provider || !model) throw unknownProvider(name, vendor || name)
  return { provider, model, settings: settingsFor(name, vendor, provider, env) }
}

function unknownProvider(name: string, vendor: string): TurnbuckleError {
  const known = Object.keys(providers)
  const close = nearest(vendor, [...known, 'offline'])
  const meant = close === 'offline' ? close : `${close}/…`
  const hint = close && close !== vendor ? `Did you mean "${meant}"?` : `Providers: ${known.join(', ')}.`
  return new TurnbuckleError('model.unknown', `No model "${name}". Write "provider/model" or "offline". ${hint}`)
}

function settingsFor(name: string, vendor: string, provider: Provider, env: Environment): Settings {
  const apiKey = provider.key && env[provider.key]
  if (provider.keyRequired && !apiKey)
    throw new TurnbuckleError('model.key', `"${name}" needs a key. Set ${provider.key} in the environment.`)
  const given = env[provider.endpoint] || provider.at
  if (provider.endpointRequired && !given)
    throw new TurnbuckleError(
      'model.endpoint',
      `"${name}" needs an address. Set ${provider.endpoint} in the environment.`,
    )
  return {
    name: vendor,
    includeUsage: true,
    ...(apiKey ? { apiKey } : {}),
    ...(given ? { baseURL: withPath(given, provider) } : {}),
  }
}

/** `http://127.0.0.1:11434` means its `/v1`; an address with a path means that path. */
export function withPath(address: string, { endpoint, path }: Pick<Provider, 'endpoint' | 'path'>): string {
  if (!URL.canParse(address))
    throw new TurnbuckleError('model.endpoint', `${endpoint} is not an address: "${address}". Write http://host:port.`)
  const bare = address.replace(/\/+$/, '')
  return new URL(address).pathname === '/' ? bare + path : bare
}

type Factory = (settings: Settings) => (model: string) => ProviderModel

async function factory(name: string, provider: Provider, load: (name: string) => Promise<unknown>): Promise<Factory> {
  let module: Readonly<Record<string, unknown>>
  try {
    module = (await load(provider.package)) as typeof module
  } catch (cause) {
    throw new TurnbuckleError('model.package', `"${name}" needs a package: npm install ${provider.package}`, { cause })
  }
  const create = module[provider.create]
  if (typeof create !== 'function')
    throw new TurnbuckleError(
      'model.package',
      `"${name}" needs another version of a package, with ${provider.create}: npm install ${provider.package}@latest`,
    )
  return create as Factory
}

/** By a name that bundlers do not see: the packages are optional. */
const loadPackage = (name: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ name)

export const environment = (): Environment =>
  (globalThis as { readonly process?: { readonly env?: Environment } }).process?.env ?? {}
