import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { messageOf } from '../core/base/errors.ts'
import { claudeCommands } from './claude-commands.ts'
import { type ClaudeFolders, claudeHome } from './claude-folders.ts'
import { readClaudeSkills } from './claude-skills.ts'
import { isRecord, readHookHandlers } from './hook-handler.ts'
import type { ClaudeHookSource } from './hook-source.ts'
import { readClaudeAgents } from './read-claude-agents.ts'

/**
 * The hooks of the user, the project and enabled plugins, in the order in which Claude Code merges them, then those in the heads of sub-agents, skills
 * and commands. Runs nothing.
 */
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
    ...headHooks(folders).filter(({ from }) => !isOff || from === 'user'),
  ].filter(source => source !== undefined)
}

const headHooks = (folders: ClaudeFolders): readonly ClaudeHookSource[] =>
  [...readClaudeAgents(folders), ...readClaudeSkills(folders), ...claudeCommands(folders)].flatMap(
    ({ hooks }) => hooks ?? [],
  )

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
