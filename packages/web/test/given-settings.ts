import type { SettingsChange, WireSetting, WireSettings, WireTrustItem } from 'turnbuckle/client'
import type { ServerSettings } from '../../server/src/index.ts'

export interface GivenSettings extends ServerSettings {
  /** The changes that the page asked for. */
  readonly changes: SettingsChange[]
}

const hook: WireTrustItem = {
  kind: 'hook',
  name: './no-secrets.ts',
  does: 'hooks',
  hash: '0123456789abcdef',
  trustedText: 'const a = 1\nconst b = 2',
  text: 'const a = 1\nconst b = 3',
}

/** Settings of a server in a test, in memory: OpenAI's key is the environment's, the temperature the project's. */
export function givenSettings(): GivenSettings {
  const changes: SettingsChange[] = []
  let untrusted: readonly WireTrustItem[] = [hook]
  const settings: Record<string, WireSetting> = {
    model: { value: 'offline', from: 'default' },
    instructions: { from: 'default' },
    'params.temperature': { value: 0.2, from: 'project', place: 'turnbuckle.config.json:3', fixed: true },
    'params.topP': { from: 'default' },
    'params.maxOutputTokens': { from: 'default' },
    'params.reasoning': { from: 'default' },
    maxSteps: { value: 50, from: 'default' },
  }
  const env: Record<string, WireSettings['env'][string]> = {
    ANTHROPIC_API_KEY: { set: false, from: 'default' },
    ANTHROPIC_BASE_URL: { set: false, from: 'default' },
    OPENAI_API_KEY: { set: true, from: 'environment', place: 'OPENAI_API_KEY', fixed: true },
    OPENAI_BASE_URL: { set: false, from: 'environment', place: 'OPENAI_API_KEY', fixed: true },
  }
  return {
    changes,
    read: async () => ({
      file: '/home/ann/.config/turnbuckle/config.json',
      settings,
      env,
      providers: [
        { name: 'anthropic', about: 'Claude', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
        { name: 'openai', about: 'GPT', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
      ],
      middleware: [{ use: 'step-limit', from: 'user', names: ['step-limit'], options: { max: 20 } }],
    }),
    async change(change) {
      changes.push(change)
      if (change.model) settings.model = { value: change.model, from: 'user' }
      if (change.instructions) settings.instructions = { value: change.instructions, from: 'user' }
      for (const [name, value] of Object.entries(change.params ?? {}))
        settings[`params.${name}`] = { value, from: 'user' }
      for (const name of Object.keys(change.env ?? {})) env[name] = { set: true, from: 'user' }
    },
    testProvider: async (name, { key }) =>
      key === 'sk-right'
        ? { works: true, model: `${name}/x` }
        : { works: false, model: `${name}/x`, problem: 'answered 401: Wrong key.' },
    permissionOf: () => ({ decision: 'ask', rules: ['deny add(9)'] }),
    mcpServers: () => [
      { name: 'docs', from: 'user', state: 'ready', trusted: true, does: 'runs: npx docs', tools: ['docs__find'] },
      { name: 'far', from: 'project', state: 'untrusted', trusted: false, does: 'connects to http://far', tools: [] },
    ],
    untrusted: async () => untrusted,
    trust: async () => {
      untrusted = []
    },
    trusted: () => [],
  }
}
