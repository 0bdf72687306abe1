import type { SettingSource, WireSetting, WireVariable } from 'turnbuckle/client'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { providerChoices } from '../settings/provider-choices.ts'
import type { Settings } from '../settings/settings.ts'

/** All that tells where a setting comes from. */
export interface SettingOrigins {
  readonly loaded: Pick<LoadedSettings, 'project' | 'placeOf' | 'environment'>
  /** The user's settings as they are now. */
  readonly user: Settings
  /** Settings of the command line. */
  readonly flags: { readonly model?: string | undefined }
}

type Source = Pick<WireSetting, 'from' | 'place' | 'fixed'>

/** Where a setting of the files comes from. The project counts more than the user. */
export function sourceOf({ loaded, user, flags }: SettingOrigins, ...path: readonly string[]): Source {
  if (path[0] === 'model' && flags.model !== undefined) return { from: 'flag', place: '--model', fixed: true }
  const owner = (['project', 'user'] as const).find(whose => at(whose === 'user' ? user : loaded.project, path))
  if (owner === undefined) return { from: 'default' }
  return owner === 'user'
    ? { from: 'user' }
    : { from: 'project', place: loaded.placeOf('project', ...path), fixed: true }
}

function at(settings: Settings, path: readonly string[]): boolean {
  let value: unknown = settings
  for (const key of path) value = (value as Readonly<Record<string, unknown>> | undefined)?.[key]
  return value !== undefined
}

/** Where a variable of a provider comes from. The environment itself counts more than the user's file. */
export function variableSource({ loaded, user }: SettingOrigins, name: string): Source {
  if (loaded.environment.has(name)) return { from: 'environment', place: name, fixed: true }
  // An address decides who is sent the key: one that the environment sets is not sent to an address of the browser's.
  const key = providerChoices.find(({ address }) => address === name)?.key
  if (key !== undefined && loaded.environment.has(key)) return { from: 'environment', place: key, fixed: true }
  return { from: user.env?.[name] === undefined ? 'default' : 'user' }
}

/** Keys and addresses of all providers. Of a key only whether it is set. */
export function variablesInForce(origins: SettingOrigins, env: NodeJS.ProcessEnv): Record<string, WireVariable> {
  const all: Record<string, WireVariable> = {}
  for (const { key, address } of providerChoices) {
    if (key !== undefined) all[key] = { set: Boolean(env[key]), ...variableSource(origins, key) }
    const value = env[address]
    const shown = value ? { value: withoutPassword(value) } : {}
    all[address] = { set: Boolean(value), ...shown, ...variableSource(origins, address) }
  }
  return all
}

/** An address without the name and password that it may have in it. */
export const withoutPassword = (address: string): string => address.replace(/\/\/[^/@]*@/, '//…@')

/** For an error message: what sets a setting that the user's file cannot change. */
export const fixedBy = ({ from, place }: { readonly from: SettingSource; readonly place?: string }): string =>
  from === 'environment' ? `${place} in the environment` : (place ?? from)
