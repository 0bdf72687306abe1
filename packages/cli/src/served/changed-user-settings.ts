import type { McpSetting, SettingsChange } from 'turnbuckle/client'
import type { McpEntry, PermissionSettings, Settings } from '../settings/settings.ts'

/** The user's settings after a change; `null` takes one out. Settings that the change does not name stay. */
export function changedUserSettings(
  before: Settings,
  { params, tools, env, permissions, mcpServers, ...named }: SettingsChange,
): Settings {
  return compact({
    ...before,
    ...named,
    ...(params ? { params: compact({ ...before.params, ...params }) } : {}),
    ...(tools ? { tools: compact({ ...before.tools, ...tools }) } : {}),
    ...(env ? { env: compact({ ...before.env, ...env }) } : {}),
    ...(permissions ? { permissions: changedRules(before.permissions, permissions) } : {}),
    ...(mcpServers ? { mcpServers: changedServers(before.mcpServers, mcpServers) } : {}),
  })
}

/** A list with nothing in it stays: without one, the harmless tools would be allowed. */
const changedRules = (
  before: PermissionSettings = {},
  change: NonNullable<SettingsChange['permissions']>,
): PermissionSettings => withoutNull({ ...before, ...change })

const changedServers = (
  before: Readonly<Record<string, McpEntry>> = {},
  change: NonNullable<SettingsChange['mcpServers']>,
): Readonly<Record<string, McpEntry>> => {
  const changed = Object.entries(change).map(([name, entry]) => [name, entry && changedServer(before[name], entry)])
  return withoutNull({ ...before, ...Object.fromEntries(changed) })
}

/**
 * A server with its variables and headers, which the browser is never told. Contract: those that are kept go to the same program or
 * address as before; for another one they are given anew, or nobody's secret would be safe from a person who only names an address.
 */
function changedServer(before: McpEntry | undefined, { env, headers, ...entry }: McpSetting): McpEntry {
  const isSame = before !== undefined && placeOf(before) === placeOf(entry)
  const kept = (isSame ? before : {}) as Partial<
    Extract<McpEntry, { command: string }> & Extract<McpEntry, { url: string }>
  >
  return compact({
    ...entry,
    env: compact({ ...kept.env, ...env }),
    headers: compact({ ...kept.headers, ...headers }),
  })
}

/** The program with its arguments, or the address. */
const placeOf = (entry: McpEntry | McpSetting): string =>
  'command' in entry ? JSON.stringify([entry.command, ...(entry.args ?? [])]) : 'url' in entry ? (entry.url ?? '') : ''

const withoutNull = <Kept extends object>(given: object): Kept =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) as Kept

/** Without what is null, undefined or an object with nothing in it. */
const compact = <Kept extends object>(given: object): Kept =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value != null && !isEmpty(value))) as Kept

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
