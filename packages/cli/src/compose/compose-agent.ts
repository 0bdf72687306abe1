import { type Agent, createAgent, offlineTools, type SchemaCheck, type Tool } from 'turnbuckle'
import type { CallMcpTool, ClaudeHooks } from 'turnbuckle/claude'
import type { ModelParams } from 'turnbuckle/client'
import type { Mcp } from 'turnbuckle/mcp'
import { type ApprovalOptions, approval, type PermissionRules, type PermissionStore } from 'turnbuckle/middleware'
import type { ConversationStore } from 'turnbuckle/stores'
import { BackgroundCommands, loadSchemaCheck } from 'turnbuckle/tools'
import { blameSetting } from '../settings/blame-setting.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { type AskTrust, type TrustItem, untrustedNotice } from '../settings/trust-file.ts'
import { openStore } from '../store/open-store.ts'
import { type ClaudeFiles, claudeAgentTools, makeClaudeHooks, readClaudeFiles } from './claude-code.ts'
import {
  type ConfiguredMiddleware,
  makeMiddleware,
  placeInSettings,
  readConfiguredMiddleware,
  registerMiddleware,
} from './configured-middleware.ts'
import {
  type ConfiguredMcpServer,
  type ConnectedServers,
  callConnected,
  connectMcpServers,
  ownersOf,
  readMcpServers,
} from './connect-mcp-servers.ts'
import { FileVersions } from './file-versions.ts'
import { keepTraces, type Traces } from './keep-traces.ts'
import { readSwitches } from './middleware-switches.ts'
import { chooseModel } from './model/choose-model.ts'
import { paramsOf } from './model/model-params.ts'
import { type SwitchableModel, switchableModel } from './model/switchable-model.ts'
import { ownAgents } from './own-agents.ts'
import { ownMiddleware, permissionRules, type Standing, safetyNets } from './own-middleware.ts'
import { ownTools } from './own-tools.ts'
import { permissionFile } from './permissions/permission-file.ts'
import { type ModeSwitch, permissionMode } from './permissions/permission-mode.ts'
import { SandboxNotice } from './sandbox-notice.ts'
import { TurnEnvironment } from './turn-environment.ts'

/** The agent that the settings describe, with all that it needs. */
export interface ComposedAgent {
  readonly agent: Agent
  readonly model: SwitchableModel
  readonly store: ConversationStore
  readonly permissions: PermissionStore
  readonly mode: ModeSwitch
  readonly fileVersions: FileVersions
  /** Instructions and parameters of the settings; what is put here counts from the next model call on. */
  readonly live: LiveSettings
  /** MCP servers and their state, as it is now. */
  readonly mcpServers: () => Mcp['servers']
  /** The MCP servers of the settings, also those that nobody has trusted. */
  readonly configuredServers: readonly ConfiguredMcpServer[]
  /** Starts an MCP server that was left out, and does not wait for it. */
  startMcpServer(server: ConfiguredMcpServer): Promise<void>
  /** Ends the connections to all MCP servers, and connects to these, without waiting for them. */
  replaceMcpServers(servers: readonly ConfiguredMcpServer[]): Promise<void>
  readonly traces: Traces
  /** Entries of the settings that are registered. */
  readonly configured: ConfiguredMiddleware[]
  /** Entries that are not registered because nobody has trusted their modules. */
  readonly untrusted: readonly ConfiguredMiddleware[]
  readonly loaded: LoadedSettings
  /** Texts for the person: parts that were left out. */
  readonly notices: readonly string[]
  /** Slash commands of Claude Code, where its files count. */
  readonly claudeCommands: ClaudeFiles['commands'] | undefined
  /** Hooks of Claude Code, where its files count. */
  readonly claudeHooks: ClaudeHooks | undefined
  /** Says once that shell commands run without a sandbox, where nobody wanted that. */
  readonly sandboxNotice: SandboxNotice
  /** Shell commands that a person has sent to the background. */
  readonly background: BackgroundCommands
  /** For somebody who has connected no model: what answers, and how to connect one. */
  readonly firstSteps: string | undefined
  /** The one listener to servers that come, fail or change their tools. */
  onMcpChange(listener: () => void): void
  close(): Promise<void>
}

/** Settings that can be changed while the agent runs. */
export interface LiveSettings {
  instructions: string | undefined
  params: ModelParams
  /** Rules about calls of tools, from the next call on. */
  permissions: PermissionRules
}

export interface ComposeOptions {
  /** Over the settings. */
  readonly model?: string | undefined
  readonly ask?: AskTrust | undefined
  /** For `createServer`, which keeps the traces of its turns itself. */
  readonly isServed?: boolean
  /** Does not wait for MCP servers at all. By default they have a few seconds, and then go on connecting in the background. */
  readonly background?: boolean
  /** A person sits at the terminal: questions wait for them, and what they allowed to be written can be undone. */
  readonly attended?: boolean
  /** Keeps standing permissions per person, in the store, instead of in the user's folder. */
  readonly standing?: ((store: ConversationStore) => Standing) | undefined
}

/** Milliseconds that a program waits for MCP servers at its start: a prompt that needs their tools shall find them. */
const mcpPatienceMs = 3000

/** Milliseconds that a chat waits for another program to be done with the conversation: after that the message waits in the chat's queue. */
const chatPatienceMs = 250

/** Makes the agent that the settings describe: the one way for the chat, `run`, `serve` and `mcp`. */
export async function composeAgent(loaded: LoadedSettings, options: ComposeOptions = {}): Promise<ComposedAgent> {
  const { model: wanted, ask } = options
  await checkPatterns(loaded)
  const missing: string[] = []
  const model = switchableModel(await chooseModel(loaded, wanted, missing))
  const { configured, claude, servers, trusted, untrusted } = await readRunnable(loaded, ask)
  const patience = options.attended ? { waitMs: chatPatienceMs } : {}
  const { store, notices: storeNotices } = await openStore(loaded, ask, patience)
  const permissions = permissionFile(loaded.home)
  const traces = keepTraces(store, options.isServed)
  const parts = makeParts(loaded, model, store)
  const { live, sandboxNotice } = parts
  const background = options.attended ? parts.background : undefined
  const tools = ownTools(loaded, reason => sandboxNotice.say(reason), background)
  const connections: ConnectedServers[] = []
  const callMcpTool = callConnected(connections)
  const schemaCheck = await loadSchemaCheck()
  const agents = await ownAgents(loaded, { ...parts, tools, use: safetyNets(loaded), schemaCheck }, missing)
  const notices = [...untrusted, ...storeNotices, ...missing, ...(claude?.notices ?? [])]
  const claudeParts = claude && (await makeClaudeParts(loaded, claude, trusted, { ...parts, tools, callMcpTool }))
  const agent = makeAgent(loaded, {
    ...parts,
    claude: claudeParts,
    tools: [...tools, ...withAgents(agents, claudeParts)],
    schemaCheck,
    permissions: options.standing?.(store) ?? permissions,
    trace: traces.use,
    attended: options.attended,
    // A served agent's parameters can be changed in the browser.
    params: options.isServed ? () => live.params : undefined,
  })
  const used = configured.filter(({ runnable }) => !runnable || trusted.has(runnable))
  await registerConfigured(agent, loaded, used)
  const mcp = await connectConfigured(servers, trusted, { agent, connections }, loaded, options)
  return {
    ...parts,
    ...mcp,
    agent,
    permissions,
    traces,
    configured: used,
    untrusted: configured.filter(entry => !used.includes(entry)),
    loaded,
    notices,
    claudeCommands: claude?.commands,
    claudeHooks: claudeParts?.hooks,
    firstSteps: wantsSetup(loaded, options) && model.id === 'offline' ? offlineText : undefined,
    close: () => closeInOrder(agent, claudeParts?.hooks, options, parts.background, mcp, store),
  }
}

/** The parts of the settings that run something, and who of them is trusted; `untrusted` is a notice about the others. */
async function readRunnable(loaded: LoadedSettings, ask: AskTrust | undefined) {
  const configured = await readConfiguredMiddleware(loaded)
  const claude = await readClaudeFiles(loaded)
  const servers = [...readMcpServers(loaded), ...(claude?.servers ?? [])]
  const items = [
    ...configured.flatMap(({ runnable }) => runnable ?? []),
    ...(claude?.items.values() ?? []),
    ...servers.flatMap(({ item }) => item ?? []),
  ]
  const { trusted, refused } = await loaded.trust.decide(loaded.root, items, ask)
  const left = [...loaded.refused, ...refused]
  return { configured, claude, servers, trusted, untrusted: left.length ? [untrustedNotice(left)] : [] }
}

async function closeInOrder(
  agent: Agent,
  hooks: ClaudeHooks | undefined,
  { attended }: ComposeOptions,
  ...others: readonly { close(): Promise<void> | void }[]
): Promise<void> {
  // A turn that still waits for an answer is parked: the next process resumes it.
  await agent.close()
  await hooks?.endSession(attended ? 'prompt_input_exit' : 'other')
  for (const other of others) await other.close()
}

/** The parts of an agent that whoever composed it can reach. */
const makeParts = (loaded: LoadedSettings, model: SwitchableModel, store: ConversationStore) => ({
  model,
  store,
  mode: permissionMode(loaded.root),
  fileVersions: new FileVersions(store, loaded.root),
  live: liveSettings(loaded),
  sandboxNotice: new SandboxNotice(loaded),
  background: new BackgroundCommands(),
})

interface ClaudeParts extends ClaudeFiles {
  readonly hooks: ClaudeHooks
  readonly agents: readonly Tool[]
}

/** The sub-agents. One of the settings stands over one of Claude Code's files with its name. */
const withAgents = (own: readonly Tool[], claude: ClaudeParts | undefined): readonly Tool[] => [
  ...own,
  ...(claude?.agents ?? []).filter(({ name }) => !own.some(each => each.name === name)),
]

interface ClaudeNeeds extends Pick<Parts, 'model' | 'store' | 'mode' | 'tools'> {
  readonly callMcpTool: CallMcpTool
}

async function makeClaudeParts(
  loaded: LoadedSettings,
  files: ClaudeFiles,
  trusted: ReadonlySet<TrustItem>,
  { model, store, mode, tools, callMcpTool }: ClaudeNeeds,
): Promise<ClaudeParts> {
  const hooks = await makeClaudeHooks(loaded, files, trusted, { mode, callMcpTool })
  return { ...files, hooks, agents: await claudeAgentTools(loaded, { model, tools, hooks, store }) }
}

const liveSettings = ({ user, project }: LoadedSettings): LiveSettings => ({
  instructions: project.instructions ?? user.instructions,
  params: paramsOf({ user, project }),
  permissions: permissionRules({ user, project }),
})

/** Connects the MCP servers that may run; others can be started later, when a person has trusted them. */
async function connectConfigured(
  servers: readonly ConfiguredMcpServer[],
  trusted: ReadonlySet<TrustItem>,
  { agent, connections }: { readonly agent: Agent; readonly connections: ConnectedServers[] },
  loaded: LoadedSettings,
  options: ComposeOptions,
) {
  let onChange: () => void = () => {}
  const inBackground = { wait: false, onChange: () => onChange() }
  const configuredServers = [...servers]
  const wanted = servers.filter(({ item }) => !item || trusted.has(item))
  const wait = options.background ? false : mcpPatienceMs
  const connect = async (some: readonly ConfiguredMcpServer[], how: Parameters<typeof connectMcpServers>[3]) => {
    const mcp = await connectMcpServers(some, agent, loaded, { ...inBackground, ...how })
    if (mcp) connections.push({ mcp, owners: ownersOf(some) })
  }
  await connect(wanted, { wait })
  return {
    configuredServers,
    async replaceMcpServers(next: readonly ConfiguredMcpServer[]) {
      configuredServers.splice(0, Infinity, ...next)
      await Promise.all(connections.splice(0).map(({ mcp }) => mcp.close()))
      const runnable = next.filter(({ item }) => !item || loaded.trust.has(loaded.root, item))
      await connect(runnable, {})
    },
    mcpServers: () => connections.flatMap(({ mcp }) => mcp.servers),
    async startMcpServer(server: ConfiguredMcpServer) {
      await connect([server], { name: `mcp ${server.name}` })
    },
    onMcpChange(listener: () => void) {
      onChange = listener
    },
    async close() {
      await Promise.all(connections.map(({ mcp }) => mcp.close()))
    },
  }
}

async function registerConfigured(agent: Agent, loaded: LoadedSettings, used: readonly ConfiguredMiddleware[]) {
  const switched = readSwitches(loaded.home, loaded.root)
  for (const entry of used)
    await blameSetting(
      message => placeInSettings(loaded, entry, message),
      async () => registerMiddleware(agent, entry, await makeMiddleware(entry), switched),
    )
}

const wantsSetup = ({ user, project }: LoadedSettings, { model }: ComposeOptions): boolean =>
  (model ?? project.model ?? user.model) === undefined

const offlineText = [
  '"offline" answers here. It is no AI: a script that knows a few sentences and drives the real tools.',
  'To connect a real model: turnbuckle setup',
].join('\n')

interface Parts {
  readonly model: SwitchableModel
  readonly store: ConversationStore
  readonly permissions: Standing
  readonly trace: Parameters<Agent['use']>[0]
  readonly mode: ModeSwitch
  readonly fileVersions: FileVersions
  readonly schemaCheck: SchemaCheck
  readonly attended: boolean | undefined
  readonly live: LiveSettings
  readonly params: (() => ModelParams) | undefined
  readonly sandboxNotice: SandboxNotice
  readonly tools: readonly Tool[]
  readonly claude: ClaudeParts | undefined
}

function makeAgent(
  { root, user, project }: LoadedSettings,
  {
    model,
    store,
    schemaCheck,
    permissions,
    trace,
    mode,
    fileVersions,
    attended,
    live,
    params,
    claude,
    tools,
    sandboxNotice,
  }: Parts,
): Agent {
  const environment = new TurnEnvironment(root)
  const maxSteps = Math.min(project.maxSteps ?? Infinity, user.maxSteps ?? Infinity)
  return createAgent({
    name: 'turnbuckle',
    model,
    store,
    schemaCheck,
    tools,
    instructions: () => [live.instructions, environment.prompt].filter(Boolean).join('\n\n'),
    ...(maxSteps === Infinity ? {} : { maxSteps }),
    use: [
      trace,
      environment.use,
      ...(attended ? [fileVersions.use] : []),
      ...(model.id === 'offline' ? [offlineTools({ onlyOffline: true })] : []),
      ...(claude ? [claude.hooks] : []),
      ...ownMiddleware(
        { root, user, project },
        {
          permissions,
          answers: answersOf(mode, claude),
          attended,
          params,
          claude,
          rules: () => live.permissions,
          onAsk: call => sandboxNotice.lookAt(call),
        },
      ),
    ],
  })
}

/** The mode of the chat answers first, then hooks of Claude Code. */
const answersOf =
  (mode: ModeSwitch, claude: ClaudeParts | undefined): NonNullable<ApprovalOptions['answers']> =>
  (question, about) =>
    mode.answers(question, about) ?? claude?.hooks.answers(question, about)

async function checkPatterns(loaded: LoadedSettings): Promise<void> {
  for (const whose of ['user', 'project'] as const)
    for (const [kind, patterns] of Object.entries(loaded[whose].permissions ?? {}))
      for (const [i, pattern] of (patterns as readonly string[]).entries())
        await blameSetting(
          loaded.where(whose, 'permissions', kind, String(i)),
          () => void approval({ deny: [pattern] }),
        )
}
