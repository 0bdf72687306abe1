import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import type { SandboxOptions } from 'turnbuckle/tools'
import type { LoadedSettings } from '../settings/load-settings.ts'

/** The settings that a sandbox depends on. */
export type SandboxSources = Pick<LoadedSettings, 'home' | 'user' | 'project'>

/**
 * The sandbox that the settings want; `false` where the person has switched it off. Of a project's hosts only those count that
 * the person has named too. Keys and tokens in the person's folder are not for commands to read.
 */
export function sandboxOf({ home, user, project }: SandboxSources): SandboxOptions | false {
  const { enabled = true, required = false, network = [], write = [] } = user.sandbox ?? {}
  const { required: requiredHere = false, network: networkHere } = project.sandbox ?? {}
  if (!enabled && !requiredHere) return false
  return {
    network: networkHere ? network.filter(host => networkHere.includes(host)) : network,
    write,
    // A home folder as a whole has programs in it, too.
    hide: [`${homedir()}${sep}`.startsWith(`${home}${sep}`) ? join(home, 'config.json') : home],
    required: required || requiredHere,
  }
}
