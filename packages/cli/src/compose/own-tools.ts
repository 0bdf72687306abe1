import type { Tool } from 'turnbuckle'
import { type BackgroundCommands, workspaceTools } from 'turnbuckle/tools'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { sandboxOf } from './sandbox-of.ts'

type ToolSettings = NonNullable<LoadedSettings['user']['tools']>
type Loaded = Pick<LoadedSettings, 'root' | 'home' | 'user' | 'project'>

/**
 * The tools of the settings, without those of MCP servers. `onMissing`: told when a command runs without a sandbox. `background`: where a person may send
 * commands.
 */
export function ownTools(
  loaded: Loaded,
  onMissing: (reason: string) => void = () => {},
  background?: BackgroundCommands,
): readonly Tool[] {
  const { root, user, project } = loaded
  const { shell, ...others } = toolsOf(user.tools ?? {}, project.tools ?? {})
  const wanted = sandboxOf(loaded)
  const sent = background ? { background } : {}
  return workspaceTools({ root, ...others, shell: shell && { sandbox: wanted && { ...wanted, onMissing }, ...sent } })
}

/** A project cannot switch on a tool that the user has switched off. */
export function toolsOf(user: ToolSettings, project: ToolSettings): Required<ToolSettings> {
  const both = <Key extends 'shell' | 'fetch'>(key: Key) => user[key] !== false && (project[key] ?? user[key] ?? true)
  const files = [user.files ?? true, project.files ?? true]
  return {
    files: files.includes(false) ? false : files.includes('read') ? ('read' as const) : true,
    shell: both('shell'),
    fetch: both('fetch'),
  }
}
