import { resolve } from 'node:path'
import type { Agent, Middleware } from 'turnbuckle'
import { blameSetting } from '../settings/blame-setting.ts'
import { bundleModule, type ModuleBundle } from '../settings/bundle-module.ts'
import type { LoadedSettings, SettingsOwner } from '../settings/load-settings.ts'
import { isModulePath, type MiddlewareEntry } from '../settings/settings.ts'
import type { TrustItem } from '../settings/trust-file.ts'
import { loadHookModule } from './hooks/load-hook-module.ts'
import { makeNamedMiddleware } from './make-named-middleware.ts'
import type { MiddlewareSwitches } from './middleware-switches.ts'

/** An entry of the settings' `middleware`, and the middleware that it has registered. */
export interface ConfiguredMiddleware {
  entry: MiddlewareEntry
  readonly from: SettingsOwner
  /** Position of the entry in its list. */
  index: string
  /** The bundled module; undefined for an entry that names a middleware of the library. */
  code: ModuleBundle | undefined
  /** Has to be trusted before the module runs; undefined for the user's own entries. */
  runnable: TrustItem | undefined
  /** The middleware that the agent has of this entry now. */
  active: readonly Middleware[]
  removers: readonly (() => void)[]
}

/** Reads the entries, the user's first, without running a module. */
export async function readConfiguredMiddleware(loaded: LoadedSettings): Promise<readonly ConfiguredMiddleware[]> {
  const entries = (['user', 'project'] as const).flatMap(from =>
    (loaded[from].middleware ?? []).map((entry, i) => readEntry(loaded, entry, from, String(i))),
  )
  return Promise.all(entries)
}

/** Reads one entry, without running its module. */
export async function readEntry(
  { home, root, where }: Pick<LoadedSettings, 'home' | 'root' | 'where'>,
  entry: MiddlewareEntry,
  from: SettingsOwner,
  index: string,
): Promise<ConfiguredMiddleware> {
  const path = resolve(from === 'user' ? home : root, entry.use)
  const place = where(from, 'middleware', index, 'use')
  const code = isModulePath(entry.use) ? await blameSetting(place, () => bundleModule(path)) : undefined
  const runnable = code && from === 'project' ? hookTrustItem(entry, code) : undefined
  return { entry, from, index, code, runnable, active: [], removers: [] }
}

/** Place of an entry for an error message: the option that the message names, or else the entry. */
export function placeInSettings(
  { where }: LoadedSettings,
  { entry, from, index }: ConfiguredMiddleware,
  message: string,
): string {
  const options = Object.keys((entry.options ?? {}) as object)
  const key = options.find(name => new RegExp(`(?<![\\w$])${name.replace(/\W/g, '\\$&')}(?![\\w$])`).test(message))
  return where(from, 'middleware', index, ...(key === undefined ? ['use'] : ['options', key]))
}

export const hookTrustItem = ({ use }: MiddlewareEntry, { files, hash, text }: ModuleBundle): TrustItem => ({
  kind: 'hook',
  name: use,
  does: files.length > 1 ? `hooks; with ${files.length - 1} more files: ${files.slice(0, 5).join(', ')}` : 'hooks',
  hash,
  text,
})

/** Makes the middleware of an entry; runs its module. */
export async function makeMiddleware({
  entry,
  code,
}: Pick<ConfiguredMiddleware, 'entry' | 'code'>): Promise<readonly Middleware[]> {
  const made = code ? await loadHookModule(code, entry.options) : await makeNamedMiddleware(entry.use, entry.options)
  const { priority } = entry
  return priority === undefined ? made : made.map(one => ({ ...one, priority }))
}

/** Replaces the registered middleware of an entry in one go. When the agent refuses the new, the old is put back. */
export function registerMiddleware(
  agent: Agent,
  configured: ConfiguredMiddleware,
  made: readonly Middleware[],
  switched: MiddlewareSwitches,
): void {
  const before = configured.active
  const put = (list: readonly Middleware[]) => {
    const removers: (() => void)[] = []
    try {
      for (const one of list) removers.push(agent.use(one))
    } catch (error) {
      for (const remove of removers) remove()
      throw error
    }
    for (const { name } of list) if (!(switched[name] ?? configured.entry.enabled ?? true)) agent.disable(name)
    configured.removers = removers
    configured.active = list
  }
  for (const remove of configured.removers) remove()
  try {
    put(made)
  } catch (error) {
    put(before)
    throw error
  }
}
