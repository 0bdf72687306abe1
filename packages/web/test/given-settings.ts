import type {
  MiddlewareSetting,
  RuleLists,
  SettingsChange,
  WireMcpServer,
  WireMcpSetting,
  WireSetting,
  WireSettings,
  WireTrustItem,
} from 'turnbuckle/client'
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

/** The name of a server's trust is not the server's own. */
const far: WireTrustItem = {
  kind: 'mcp',
  name: 'mcp:far',
  does: 'connects to https://far.example',
  hash: 'fedcba9876543210',
  text: '{ "url": "https://far.example" }',
}

/** The parts of the user's file that the page changes as lists. */
class GivenFile {
  readonly #project: RuleLists
  rules: RuleLists = {}
  middleware: readonly MiddlewareSetting[] = [{ use: 'step-limit', options: { max: 20 } }]
  readonly servers: Record<string, WireMcpSetting> = { docs: { command: 'npx', args: ['docs'], env: ['DOCS_KEY'] } }

  constructor(project: RuleLists) {
    this.#project = project
  }
  change({ permissions = {}, mcpServers = {}, middleware }: SettingsChange): void {
    for (const [list, patterns] of Object.entries(permissions)) this.rules = { ...this.rules, [list]: patterns }
    for (const [name, server] of Object.entries(mcpServers))
      if (server) this.servers[name] = { ...server, env: Object.keys(server.env ?? {}), headers: [] }
      else delete this.servers[name]
    if (middleware) this.middleware = middleware
  }
  read(): Pick<WireSettings, 'middleware' | 'middlewareNames' | 'permissions' | 'mcpServers'> {
    return {
      middleware: this.middleware.map(entry => ({ ...entry, from: 'user', names: [entry.use] })),
      middlewareNames: ['step-limit', 'todo'],
      permissions: { user: this.rules, project: this.#project, harmless: ['read_file'] },
      mcpServers: { ...this.servers },
    }
  }
  listedServers(): WireMcpServer[] {
    return Object.entries(this.servers).map(([name, { command = '', args = [] }]) => {
      const does = `runs: ${[command, ...args].join(' ')}`
      return { name, from: 'user', state: 'ready', trusted: true, does, tools: [`${name}__find`] }
    })
  }
}

const providers: WireSettings['providers'] = [
  { name: 'anthropic', about: 'Claude', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
  { name: 'openai', about: 'GPT', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
]

const atStart: Readonly<Record<string, WireSetting>> = {
  model: { value: 'offline', from: 'default' },
  instructions: { from: 'default' },
  'params.temperature': { value: 0.2, from: 'project', place: 'turnbuckle.config.json:3', fixed: true },
  'params.topP': { from: 'default' },
  'params.maxOutputTokens': { from: 'default' },
  'params.reasoning': { from: 'default' },
  maxSteps: { value: 50, from: 'default' },
  idleTimeoutMs: { value: 60_000, from: 'default' },
  firstDataTimeoutMs: { value: 600_000, from: 'default' },
  retry: { value: 3, from: 'default' },
  'tools.files': { value: true, from: 'default' },
  'tools.shell': { value: false, from: 'project', place: 'turnbuckle.config.json:7', fixed: true },
  'tools.fetch': { value: true, from: 'default' },
  store: { value: 'sqlite:.turnbuckle/conversations.db', from: 'user' },
}

/** Settings of a server in a test, in memory: OpenAI's key is the environment's, the temperature the project's. */
export function givenSettings(
  project: RuleLists = { deny: ['shell(rm *)'] },
  more: Readonly<Record<string, WireSetting>> = {},
): GivenSettings {
  const changes: SettingsChange[] = []
  const file = new GivenFile(project)
  let untrusted: readonly WireTrustItem[] = [hook, far]
  const settings: Record<string, WireSetting> = { ...atStart, ...more }
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
      providers,
      ...file.read(),
    }),
    async change(change) {
      changes.push(change)
      if (change.model) settings.model = { value: change.model, from: 'user' }
      if (change.instructions) settings.instructions = { value: change.instructions, from: 'user' }
      for (const [name, value] of Object.entries(change.params ?? {}))
        settings[`params.${name}`] = { value, from: 'user' }
      if (change.maxSteps) settings.maxSteps = { value: 50, later: change.maxSteps, from: 'user' }
      for (const name of Object.keys(change.env ?? {})) env[name] = { set: true, from: 'user' }
      file.change(change)
    },
    testProvider: async (name, { key }) =>
      key === 'sk-right'
        ? { works: true, model: `${name}/x` }
        : { works: false, model: `${name}/x`, problem: 'answered 401: Wrong key.' },
    permissionOf: name => ({
      decision: (['deny', 'allow'] as const).find(list => file.rules[list]?.includes(name)) ?? 'ask',
      rules: ['deny add(9)'],
    }),
    mcpServers: () => [
      ...file.listedServers(),
      {
        name: 'far',
        from: 'project',
        state: untrusted.includes(far) ? 'untrusted' : 'ready',
        trusted: !untrusted.includes(far),
        does: far.does,
        tools: [],
      },
    ],
    untrusted: async () => untrusted,
    trust: async ({ name }) => {
      untrusted = untrusted.filter(item => item.name !== name)
    },
    trusted: () => [],
  }
}
