import { homedir } from 'node:os'
import { join, sep } from 'node:path'
import { type FoundSandbox, findSandbox, type SandboxOptions } from 'turnbuckle/tools'
import type { LoadedSettings } from '../settings/load-settings.ts'

type Loaded = Pick<LoadedSettings, 'home' | 'user' | 'project'>

/**
 * The sandbox that the settings want; `false` where the person has switched it off. Of a project's hosts only those count that
 * the person has named too. Keys and tokens in the person's folder are not for commands to read.
 */
export function sandboxOf({ home, user, project }: Loaded): SandboxOptions | false {
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

/** For a person whose commands run without a sandbox although nobody has switched it off. */
export async function missingSandbox(
  loaded: Loaded,
  tools: readonly { readonly name: string }[],
  find: () => Promise<FoundSandbox> = findSandbox,
): Promise<string | undefined> {
  const wanted = sandboxOf(loaded)
  if (!wanted || !tools.some(({ name }) => name === 'shell')) return undefined
  const found = await find()
  if (found.kind !== 'none') return undefined
  return wanted.required
    ? `There is no sandbox for shell commands (${found.reason}), so none will run: the settings require one.`
    : `There is no sandbox for shell commands (${found.reason}): one that you allow can do what you can.`
}
