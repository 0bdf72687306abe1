import type { Agent } from 'turnbuckle'
import type { Mcp } from 'turnbuckle/mcp'
import type { Loaded } from '../settings/load-settings.ts'
import type { McpEntry } from '../settings/settings.ts'
import { hashOf, type Runnable } from '../settings/trust.ts'
import { filePins } from './file-pins.ts'

/** One entry of the settings' `mcpServers`. */
export interface Server {
  readonly name: string
  readonly entry: McpEntry
  /** What has to be trusted first; the user's own need nothing. */
  readonly item?: Runnable
}

/** A project's server goes before the user's of the same name, once it is trusted. */
export function readServers({ user, project, root }: Loaded): readonly Server[] {
  const own = Object.entries(user.mcpServers ?? {}).map(([name, entry]) => ({ name, entry }))
  const foreign = Object.entries(project.mcpServers ?? {}).map(([name, entry]) => ({
    name,
    entry: 'command' in entry ? { cwd: root, ...entry } : entry,
    item: { kind: 'mcp' as const, name: `mcp:${name}`, does: describe(entry), hash: hashOf(JSON.stringify(entry)) },
  }))
  return [...own, ...foreign]
}

const describe = (entry: McpEntry): string =>
  'command' in entry ? `runs: ${[entry.command, ...(entry.args ?? [])].join(' ')}` : `connects to ${entry.url}`

/** Nothing where there are no servers. */
export async function connectServers(
  servers: readonly Server[],
  agent: Agent,
  { home, root }: Loaded,
): Promise<Mcp | undefined> {
  if (!servers.length) return undefined
  const { connectMcp } = await import('turnbuckle/mcp')
  const mcp = await connectMcp(Object.fromEntries(servers.map(({ name, entry }) => [name, entry])), {
    pins: filePins(home, root),
  })
  mcp.attach(agent)
  return mcp
}

/** For the person: the servers that could not be reached. */
export const unreached = (servers: Mcp['servers']): string[] =>
  servers
    .filter(({ status }) => status !== 'ready')
    .map(({ name, status, error }) => `The MCP server "${name}" could not be reached: ${error ?? status}`)
