import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { messageOf } from '../core/base/errors.ts'
import { isRecord, readHookHandlers } from './hook-handler.ts'
import type { ClaudeHookSource } from './hook-source.ts'

/** The folders that Claude Code's files are read from. */
export interface ClaudeFolders {
  /** The project. The working directory by default. */
  readonly root?: string
  /** The user's own folder. `CLAUDE_CONFIG_DIR`, or else `~/.claude`; `false` reads nothing of the user. */
  readonly home?: string | false
  /** Folders of further plugins. */
  readonly plugins?: readonly string[]
}

/** The user's folder of Claude Code. */
export const claudeHome = (env: NodeJS.ProcessEnv = process.env): string =>
  env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude')

/** The hooks of the user, the project and enabled plugins, in the order in which Claude Code merges them. Runs nothing. */
export function readClaudeHooks(folders: ClaudeFolders = {}): readonly ClaudeHookSource[] {
  const { root = process.cwd(), home = claudeHome(), plugins = [] } = folders
  const user = home === false ? undefined : readSettings(join(home, 'settings.json'))
  const project = readSettings(join(root, '.claude', 'settings.json'))
  const local = readSettings(join(root, '.claude', 'settings.local.json'))
  // A project may switch off its own hooks, not the user's.
  if (user?.value.disableAllHooks === true) return []
  const isOff = (local?.value.disableAllHooks ?? project?.value.disableAllHooks) === true
  const own = isOff ? [] : [asSource(project, 'project', root), asSource(local, 'local', root)]
  const enabled = [user, project, local].map(file => file?.value.enabledPlugins)
  const installed = home === false ? [] : installedPlugins(home, Object.assign({}, ...enabled.filter(isRecord)))
  return [
    asSource(user, 'user', root),
    ...own,
    ...[...installed, ...plugins.map(folder => ({ id: folder, folder: resolve(root, folder) }))].flatMap(plugin =>
      readPlugin(plugin, home === false ? root : home),
    ),
  ].filter(source => source !== undefined)
}

interface SettingsFile {
  readonly file: string
  readonly value: Readonly<Record<string, unknown>>
  readonly problem?: string
}

function readSettings(file: string): SettingsFile | undefined {
  if (!existsSync(file)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isRecord(value) ? { file, value } : { file, value: {}, problem: 'It is no JSON object.' }
  } catch (error) {
    return { file, value: {}, problem: messageOf(error) }
  }
}

function asSource(
  settings: SettingsFile | undefined,
  from: ClaudeHookSource['from'],
  root: string,
): ClaudeHookSource | undefined {
  if (!settings) return undefined
  const { handlers, problems } = readHookHandlers(settings.value.hooks)
  if (!handlers.length && !problems.length && settings.problem === undefined) return undefined
  const file = from === 'user' ? settings.file : relative(root, settings.file)
  const all = settings.problem === undefined ? problems : [settings.problem, ...problems]
  return { from, file, handlers, problems: all.map(problem => `${file}: ${problem}`) }
}

/** Folders of the plugins that are installed and switched on, as Claude Code keeps them. */
function installedPlugins(home: string, enabled: Readonly<Record<string, unknown>>) {
  const list = readSettings(join(home, 'plugins', 'installed_plugins.json'))?.value.plugins
  return Object.entries(isRecord(list) ? list : {}).flatMap(([id, entry]) => {
    const [first] = [entry].flat() as unknown[]
    const folder = isRecord(first) ? first.installPath : undefined
    return enabled[id] === true && typeof folder === 'string' ? [{ id, folder }] : []
  })
}

function readPlugin({ id, folder }: { id: string; folder: string }, home: string): ClaudeHookSource[] {
  const manifest = readSettings(join(folder, '.claude-plugin', 'plugin.json'))?.value
  const named = [manifest?.hooks].flat()
  const files = ['hooks/hooks.json', ...named.filter(file => typeof file === 'string')]
  const inline = named.filter(isRecord).map(hooks => ({ file: join(folder, '.claude-plugin', 'plugin.json'), hooks }))
  const listed = [...new Set(files.map(file => join(folder, file)))].flatMap(file => {
    const read = readSettings(file)
    return read ? [{ file, hooks: read.value.hooks }] : []
  })
  const plugin = { root: folder, data: join(home, 'plugins', 'data', id.replace(/[^\w-]/g, '-')) }
  return [...listed, ...inline].map(({ file, hooks }) => {
    const { handlers, problems } = readHookHandlers(isRecord(hooks) && isRecord(hooks.hooks) ? hooks.hooks : hooks)
    return { from: 'plugin', file, handlers, problems: problems.map(problem => `${file}: ${problem}`), plugin }
  })
}
