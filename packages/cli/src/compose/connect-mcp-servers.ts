import { pathToFileURL } from 'node:url'
import type { Agent } from 'turnbuckle'
import type { CallMcpTool } from 'turnbuckle/claude'
import type { Mcp, McpOptions } from 'turnbuckle/mcp'
import type { LoadedSettings, SettingsOwner } from '../settings/load-settings.ts'
import type { McpEntry } from '../settings/settings.ts'
import { contentHash, type TrustItem } from '../settings/trust-file.ts'
import { mcpCredentialFile } from './mcp-credential-file.ts'
import { mcpPinFile } from './mcp-pin-file.ts'

/** An entry of the settings' `mcpServers`. */
export interface ConfiguredMcpServer {
  readonly name: string
  readonly entry: McpEntry
  readonly from: SettingsOwner
  /** The command or the address, in words. */
  readonly does: string
  /** Has to be trusted before the server starts; undefined for the user's own entries. */
  readonly item?: TrustItem
}

/** A project's server goes before the user's of the same name, once it is trusted. */
export function readMcpServers({ user, project, root }: LoadedSettings): readonly ConfiguredMcpServer[] {
  const own = Object.entries(user.mcpServers ?? {}).map(([name, entry]) => ({
    name,
    entry,
    from: 'user' as const,
    does: describeServer(entry),
  }))
  const foreign = Object.entries(project.mcpServers ?? {}).map(([name, entry]) => ({
    name,
    entry: 'command' in entry ? { cwd: root, ...entry } : entry,
    from: 'project' as const,
    does: describeServer(entry),
    item: {
      kind: 'mcp' as const,
      name: `mcp:${name}`,
      does: describeServer(entry),
      hash: contentHash(JSON.stringify(entry)),
      text: JSON.stringify(entry, undefined, 2),
    },
  }))
  return [...own, ...foreign]
}

export const describeServer = (entry: McpEntry): string =>
  'command' in entry ? `runs: ${[entry.command, ...(entry.args ?? [])].join(' ')}` : `connects to ${entry.url}`

/** Undefined where there are no servers: then the MCP client is not loaded. */
export async function connectMcpServers(
  servers: readonly ConfiguredMcpServer[],
  agent: Agent,
  { home, root }: LoadedSettings,
  options: Pick<McpOptions, 'wait' | 'onChange' | 'name'> = {},
): Promise<Mcp | undefined> {
  if (!servers.length) return undefined
  const { connectMcp } = await import('turnbuckle/mcp')
  const mcp = await connectMcp(Object.fromEntries(servers.map(({ name, entry }) => [name, entry])), {
    pins: mcpPinFile(home, root),
    roots: [pathToFileURL(root).href],
    // Nobody signs in while the program starts: `turnbuckle mcp login NAME` does.
    signIn: { store: mcpCredentialFile(home) },
    ...options,
  })
  mcp.attach(agent)
  return mcp
}

/** Servers that are connected together. */
export interface ConnectedServers {
  readonly mcp: Mcp
  /** Whose a server is, by its name. */
  readonly owners: ReadonlyMap<string, SettingsOwner>
}

export const ownersOf = (servers: readonly ConfiguredMcpServer[]): ConnectedServers['owners'] =>
  new Map(servers.map(({ name, from }) => [name, from]))

/**
 * Calls a tool of whichever connection has the server now, for hooks of Claude Code. The user's own hooks call the user's own servers only: a project's
 * server of the same name would allow calls in the user's name.
 */
export const callConnected =
  (connections: readonly ConnectedServers[]): CallMcpTool =>
  async (server, tool, args, { signal, from }) => {
    const having = connections.filter(({ owners }) => owners.has(server))
    const found = having.find(({ owners }) => from !== 'user' || owners.get(server) === 'user')
    if (found) return found.mcp.call(server, tool, args, { signal })
    throw new Error(
      having.length
        ? `The MCP server "${server}" is the project's: your own hooks call servers of your own settings only.`
        : `The MCP server "${server}" is not connected.`,
    )
  }

/** Notices about servers that could not be reached. */
export const unreachedServers = (servers: Mcp['servers']): string[] =>
  servers
    .filter(({ status }) => status !== 'ready' && status !== 'connecting')
    .map(({ name, status, error = '' }) =>
      error.includes('needs a sign-in')
        ? `The MCP server "${name}" wants you to sign in: turnbuckle mcp login ${name}`
        : `The MCP server ${unreached(name, error || status)}`,
    )

/** An error of the connection says whom it could not reach. */
function unreached(name: string, why: string): string {
  const said = `"${name}" could not be reached`
  return why.startsWith(said) ? why : `${said}: ${why}`
}

/** Notices about servers whose tools are not here. */
export const missingServers = (servers: Mcp['servers']): string[] => [
  ...awaitedServers(servers).map(name => `The MCP server "${name}" is not connected yet: its tools come when it is.`),
  ...unreachedServers(servers),
]

/** Names of servers that are still being connected. */
export const awaitedServers = (servers: Mcp['servers']): string[] =>
  servers.flatMap(({ name, status }) => (status === 'connecting' ? [name] : []))
