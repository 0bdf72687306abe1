import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { Mistake } from '../mistake.ts'
import { bundle } from './bundle.ts'
import { homeFolder } from './home.ts'
import { readJsonc } from './read-jsonc.ts'
import { readSettings, type Settings } from './settings.ts'
import { type AskTrust, type Runnable, Trust } from './trust.ts'

export interface Loaded {
  /** The project's folder, links resolved. */
  readonly root: string
  readonly home: string
  readonly user: Settings
  readonly project: Settings
  readonly trust: Trust
  /** Parts of the project that were left out because nobody has trusted them. */
  readonly refused: readonly Runnable[]
  /** The files that were read. */
  readonly files: readonly string[]
}

export interface Where {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Without it nothing runs that was not trusted before. */
  readonly ask?: AskTrust | undefined
}

const projectFiles = ['turnbuckle.config.json', 'turnbuckle.config.ts', 'turnbuckle.config.js']

/** Reads the user's and the project's settings. Keys of the user's file go into the environment, under those it has. */
export async function loadSettings({ cwd = process.cwd(), env = process.env, ask }: Where = {}): Promise<Loaded> {
  const root = realpathSync(cwd)
  const home = homeFolder(env)
  const trust = new Trust(home)
  const userFile = join(home, 'config.json')
  const user = existsSync(userFile) ? readFile(userFile, userFile, 'user') : {}
  for (const [key, value] of Object.entries(user.env ?? {})) env[key] ||= value
  const found = projectFiles.filter(name => existsSync(join(root, name)))
  if (found.length > 1) throw new Mistake(`There are ${found.join(' and ')}: keep one.`)
  const base = { root, home, user, trust }
  const files = existsSync(userFile) ? [userFile] : []
  const [name] = found
  if (name === undefined) return { ...base, project: {}, refused: [], files }
  const read = { ...base, files: [...files, join(root, name)] }
  if (name.endsWith('.json')) return { ...read, project: readFile(join(root, name), name, 'project'), refused: [] }
  return { ...read, ...(await readCode(root, name, trust, ask)) }
}

function readFile(path: string, shown: string, whose: 'user' | 'project'): Settings {
  const { value, line } = readJsonc(readFileSync(path, 'utf8'), shown)
  return readSettings(value, { file: shown, line }, whose)
}

/** Settings that are code run only when they are trusted. */
async function readCode(root: string, name: string, trust: Trust, ask: AskTrust | undefined) {
  const code = await bundle(join(root, name))
  const item: Runnable = { kind: 'settings', name, does: `runs ${code.files.join(', ')}`, hash: code.hash }
  const { refused } = await trust.settle(root, [item], ask)
  if (refused.length) return { project: {}, refused }
  const { default: value } = (await code.load()) as { default?: unknown }
  if (value === undefined) throw new Mistake(`${name} must have the settings as its default export.`)
  return { project: readSettings(value, { file: name, line: () => undefined }, 'project'), refused }
}
