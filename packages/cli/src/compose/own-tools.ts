import type { Tool } from 'turnbuckle'
import { workspaceTools } from 'turnbuckle/tools'
import type { LoadedSettings } from '../settings/load-settings.ts'

/** The tools of the settings, without those of MCP servers. */
export const ownTools = ({ root, user, project }: Pick<LoadedSettings, 'root' | 'user' | 'project'>): readonly Tool[] =>
  workspaceTools({ root, ...toolsOf(user.tools ?? {}, project.tools ?? {}) })

/** A project cannot switch on a tool that the user has switched off. */
function toolsOf(user: NonNullable<LoadedSettings['user']['tools']>, project: typeof user) {
  const both = <Key extends 'shell' | 'fetch'>(key: Key) => user[key] !== false && (project[key] ?? user[key] ?? true)
  const files = [user.files ?? true, project.files ?? true]
  return {
    files: files.includes(false) ? false : files.includes('read') ? ('read' as const) : true,
    shell: both('shell'),
    fetch: both('fetch'),
  }
}
