/** A provider of models, and the variables that its key and address are read from. */
export interface ProviderChoice {
  readonly name: string
  readonly about: string
  readonly key?: string
  readonly address: string
  /** `turnbuckle setup` asks for the address: the provider has none that everybody uses. */
  readonly asksAddress?: true
  /** Offered as the address. */
  readonly at?: string
}

export const providerChoices: readonly ProviderChoice[] = [
  { name: 'anthropic', about: 'Claude', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
  { name: 'openai', about: 'GPT', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
  { name: 'google', about: 'Gemini', key: 'GOOGLE_GENERATIVE_AI_API_KEY', address: 'GOOGLE_BASE_URL' },
  {
    name: 'ollama',
    about: 'models on this machine',
    address: 'OLLAMA_BASE_URL',
    asksAddress: true,
    at: 'http://127.0.0.1:11434',
  },
  {
    name: 'compatible',
    about: "any service in OpenAI's form",
    key: 'COMPATIBLE_API_KEY',
    address: 'COMPATIBLE_BASE_URL',
    asksAddress: true,
  },
]
