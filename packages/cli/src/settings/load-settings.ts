import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { Mistake } from '../mistake.ts'
import { bundle } from './bundle.ts'
import { homeFolder } from './home.ts'
import { keyLine } from './key-lines.ts'
import { readJsonc } from './read-jsonc.ts'
import { readSettings, type Settings } from './settings.ts'
import { at, type Place } from './shape.ts'
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
  /** Where something stands in the settings: `turnbuckle.config.json:4: "model": `. */
  where(whose: Whose, ...path: readonly string[]): string
}

export type Whose = 'user' | 'project'

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
  const places: Partial<Record<Whose, Place>> = {}
  const where: Loaded['where'] = (whose, ...path) => {
    const place = places[whose]
    return place ? `${at(place, path)}"${path.join('.')}": ` : ''
  }
  const read = (path: string, shown: string, whose: Whose): Settings => {
    const { value, line } = readJsonc(readFileSync(path, 'utf8'), shown)
    places[whose] = { file: shown, line }
    return readSettings(value, places[whose], whose)
  }
  const user = existsSync(userFile) ? read(userFile, userFile, 'user') : {}
  for (const [key, value] of Object.entries(user.env ?? {})) env[key] ||= value
  const found = projectFiles.filter(name => existsSync(join(root, name)))
  if (found.length > 1) throw new Mistake(`There are ${found.join(' and ')}: keep one.`)
  const [name] = found
  const files = [userFile, ...(name === undefined ? [] : [join(root, name)])].filter(existsSync)
  const base = { root, home, user, trust, files, where }
  if (name === undefined) return { ...base, project: {}, refused: [] }
  if (name.endsWith('.json')) return { ...base, project: read(join(root, name), name, 'project'), refused: [] }
  const source = readFileSync(join(root, name), 'utf8')
  places.project = { file: name, line: path => keyLine(source, path) }
  return { ...base, ...(await readCode(root, places.project, trust, ask)) }
}

/** Settings that are code run only when they are trusted. */
async function readCode(root: string, place: Place, trust: Trust, ask: AskTrust | undefined) {
  const { file: name } = place
  const code = await bundle(join(root, name))
  const item: Runnable = { kind: 'settings', name, does: `runs ${code.files.join(', ')}`, hash: code.hash }
  const { refused } = await trust.settle(root, [item], ask)
  if (refused.length) return { project: {}, refused }
  const { default: value } = (await code.load()) as { default?: unknown }
  if (value === undefined) throw new Mistake(`${name} must have the settings as its default export.`)
  return { project: readSettings(value, place, 'project'), refused }
}
