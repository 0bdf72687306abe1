import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors/user-error.ts'
import { bundleModule } from './bundle-module.ts'
import { findKeyLine } from './find-key-line.ts'
import { homeFolder } from './home-folder.ts'
import { readJsonc } from './read-jsonc.ts'
import { placePrefix, type SettingPlace } from './setting-place.ts'
import { readSettings, type Settings } from './settings.ts'
import { type AskTrust, TrustFile, type TrustItem } from './trust-file.ts'

export interface LoadedSettings {
  /** The project's folder, links resolved. */
  readonly root: string
  readonly home: string
  readonly user: Settings
  readonly project: Settings
  readonly trust: TrustFile
  /** Parts of the project that were left out because nobody has trusted them. */
  readonly refused: readonly TrustItem[]
  /** The names of variables that the environment itself has set: the user's file does not change those. */
  readonly environment: ReadonlySet<string>
  /** The files that were read. */
  readonly files: readonly string[]
  /** Place of a setting for an error message: `turnbuckle.config.json:4: "model": `. */
  where(whose: SettingsOwner, ...path: readonly string[]): string
  /** Place of a setting for a person: `turnbuckle.config.json:4`. */
  placeOf(whose: SettingsOwner, ...path: readonly string[]): string
}

export type SettingsOwner = 'user' | 'project'

export interface LoadOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Without it nothing runs that was not trusted before. */
  readonly ask?: AskTrust | undefined
}

const projectFiles = ['turnbuckle.config.json', 'turnbuckle.config.ts', 'turnbuckle.config.js']

/** Reads the user's and the project's settings. Keys of the user's file go into the environment, under those it has. */
export async function loadSettings({
  cwd = process.cwd(),
  env = process.env,
  ask,
}: LoadOptions = {}): Promise<LoadedSettings> {
  const root = realpathSync(cwd)
  const home = homeFolder(env)
  const trust = new TrustFile(home)
  const userFile = join(home, 'config.json')
  const places: Partial<Record<SettingsOwner, SettingPlace>> = {}
  const placeOf: LoadedSettings['placeOf'] = (whose, ...path) => {
    const place = places[whose]
    return place ? placePrefix(place, path).slice(0, -2) : ''
  }
  const where: LoadedSettings['where'] = (whose, ...path) =>
    places[whose] ? `${placeOf(whose, ...path)}: "${path.join('.')}": ` : ''
  const read = (path: string, shown: string, whose: SettingsOwner): Settings => {
    const { value, line } = readJsonc(readFileSync(path, 'utf8'), shown)
    places[whose] = { file: shown, line }
    return readSettings(value, places[whose], whose)
  }
  const user = existsSync(userFile) ? read(userFile, userFile, 'user') : {}
  const environment = new Set(Object.keys(env).filter(key => env[key]))
  for (const [key, value] of Object.entries(user.env ?? {})) env[key] ||= value
  const found = projectFiles.filter(name => existsSync(join(root, name)))
  if (found.length > 1) throw new UserError(`There are ${found.join(' and ')}: keep one.`)
  const [name] = found
  const files = [userFile, ...(name === undefined ? [] : [join(root, name)])].filter(existsSync)
  const base = { root, home, user, trust, files, where, placeOf, environment }
  if (name === undefined) return { ...base, project: {}, refused: [] }
  if (name.endsWith('.json')) return { ...base, project: read(join(root, name), name, 'project'), refused: [] }
  const source = readFileSync(join(root, name), 'utf8')
  places.project = { file: name, line: path => findKeyLine(source, path) }
  return { ...base, ...(await readCode(root, places.project, trust, ask)) }
}

/** Settings that are code run only when they are trusted. */
async function readCode(root: string, place: SettingPlace, trust: TrustFile, ask: AskTrust | undefined) {
  const { file: name } = place
  const code = await bundleModule(join(root, name))
  const { files, hash, text } = code
  const item: TrustItem = { kind: 'settings', name, does: `runs ${files.join(', ')}`, hash, text }
  const { refused } = await trust.decide(root, [item], ask)
  if (refused.length) return { project: {}, refused }
  const { default: value } = (await code.load()) as { default?: unknown }
  if (value === undefined) throw new UserError(`${name} must have the settings as its default export.`)
  return { project: readSettings(value, place, 'project'), refused }
}
