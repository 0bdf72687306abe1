import { TurnbuckleError } from 'turnbuckle'
import type { McpSetting, SettingsChange } from 'turnbuckle/client'
import { approval } from 'turnbuckle/middleware'
import { suggestNearest } from '../errors/suggest-nearest.ts'
import { type ProviderChoice, providerChoices } from '../settings/provider-choices.ts'
import { isModulePath, type Settings } from '../settings/settings.ts'
import { fixedBy, type SettingOrigins, sourceOf, variableSource } from './setting-sources.ts'

const variables = providerChoices.flatMap(({ key, address }) => [...(key === undefined ? [] : [key]), address])

const singleSettings = [
  'model',
  'instructions',
  'maxSteps',
  'idleTimeoutMs',
  'firstDataTimeoutMs',
  'retry',
] as const satisfies readonly (keyof SettingsChange)[]

/** Throws `setting.fixed` for a setting that something counts more for than the user's file, `setting.invalid` for one that makes no sense. */
export function checkSettingsChange(change: SettingsChange, origins: SettingOrigins, now: NodeJS.ProcessEnv): void {
  const { params = {}, tools = {}, env = {}, mcpServers = {} } = change
  const paths = [
    ...singleSettings.filter(name => change[name] !== undefined).map(name => [name]),
    ...Object.keys(params).map(name => ['params', name]),
    ...Object.keys(tools).map(name => ['tools', name]),
    ...Object.keys(mcpServers).map(name => ['mcpServers', name]),
  ]
  for (const path of paths) refuseFixed(path.join('.'), sourceOf(origins, ...path))
  for (const name of Object.keys(env)) {
    if (!variables.includes(name)) throw invalid(`"${name}" is no key or address. ${suggestNearest(name, variables)}`)
    refuseFixed(name, variableSource(origins, name))
  }
  for (const provider of providerChoices)
    checkAddress(provider, { key: env[provider.key ?? ''] ?? undefined, address: env[provider.address] }, now)
  for (const [name, server] of Object.entries(mcpServers)) if (server) checkServer(name, server)
  checkRules(change)
  checkModules(change, origins.user)
}

const invalid = (message: string): TurnbuckleError => new TurnbuckleError('setting.invalid', message)

function checkServer(name: string, { command, url, args, env, headers }: McpSetting): void {
  if ((command === undefined) === (url === undefined))
    throw invalid(`The MCP server "${name}" needs either a command or an address.`)
  if (command === undefined ? args || env : headers)
    throw invalid(`"${name}": arguments and variables are a command's, headers an address's.`)
}

/** A pattern that cannot be read is refused with the list that it is in. */
function checkRules({ permissions = {} }: SettingsChange): void {
  for (const [list, patterns] of Object.entries(permissions))
    for (const pattern of patterns ?? [])
      try {
        approval({ deny: [pattern] })
      } catch (error) {
        throw invalid(`permissions.${list}: "${pattern}": ${(error as Error).message}`)
      }
}

/** A module runs code of a file on the server: it is named in the user's file by hand. */
function checkModules({ middleware }: SettingsChange, { middleware: before = [] }: Settings): void {
  const added = middleware?.find(({ use }) => isModulePath(use) && !before.some(entry => entry.use === use))
  if (added) throw invalid(`"${added.use}" is a module, which runs code. Add it in the file itself.`)
}

/**
 * Throws where a list of the file is not the one that is in force: somebody has edited the file since, and the change, made from what the
 * browser showed, would undo that.
 */
export function refuseOutdatedList(change: SettingsChange, user: Settings, file: Settings): void {
  const lists = [
    ...(change.middleware === undefined ? [] : [['middleware', user.middleware, file.middleware] as const]),
    ...(['allow', 'ask', 'deny'] as const)
      .filter(list => change.permissions?.[list] !== undefined)
      .map(list => [`permissions.${list}`, user.permissions?.[list], file.permissions?.[list]] as const),
  ]
  for (const [name, known, now] of lists)
    if (JSON.stringify(known) !== JSON.stringify(now))
      throw invalid(`"${name}" of the file was edited since the start. Start the server again, then change it here.`)
}

export function refuseFixed(name: string, source: ReturnType<typeof sourceOf>): void {
  if (source.fixed)
    throw new TurnbuckleError('setting.fixed', `"${name}" is set by ${fixedBy(source)}. Change it there.`)
}

/**
 * Throws for an address that is none, and for a new one without the key beside it: nobody may send a key that they do not know to an
 * address of their choice.
 */
export function checkAddress(
  provider: ProviderChoice,
  given: { readonly key?: string | undefined; readonly address?: string | null | undefined },
  now: NodeJS.ProcessEnv,
): void {
  const { address } = given
  if (address == null || address === now[provider.address]) return
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw invalid(`${provider.address} is not an address. Write https://host.`)
  if (provider.key !== undefined && now[provider.key] && given.key === undefined)
    throw invalid(
      `A new address needs the key once more: without it ${provider.key} would be sent to ${new URL(address).host}.`,
    )
}
