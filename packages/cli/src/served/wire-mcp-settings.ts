import type { WireMcpSetting } from 'turnbuckle/client'
import type { McpEntry } from '../settings/settings.ts'

/** The MCP servers of the user's file for the browser: of variables and headers only the names, since the values may be keys. */
export const wireMcpSettings = (
  servers: Readonly<Record<string, McpEntry>> = {},
): Readonly<Record<string, WireMcpSetting>> =>
  Object.fromEntries(Object.entries(servers).map(([name, entry]) => [name, wireMcpSetting(entry)]))

function wireMcpSetting(entry: McpEntry): WireMcpSetting {
  if ('url' in entry) return { url: entry.url, ...names('headers', entry.headers) }
  const { command, args, env } = entry
  return { command, ...(args?.length ? { args } : {}), ...names('env', env) }
}

const names = (key: 'env' | 'headers', values: Readonly<Record<string, string>> = {}): WireMcpSetting =>
  Object.keys(values).length ? { [key]: Object.keys(values) } : {}
