import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeHomeFile } from './home-folder.ts'
import { readJsonc } from './read-jsonc.ts'
import { readSettings, type Settings } from './settings.ts'

export const userFile = (home: string): string => join(home, 'config.json')

/** The settings of the user's file; none where there is no file. */
export const readUserFile = (home: string): Settings => parse(textOf(home), home)

const textOf = (home: string): string => (existsSync(userFile(home)) ? readFileSync(userFile(home), 'utf8') : '{}')
const parse = (text: string, home: string): Settings => check(readJsonc(text, userFile(home)).value, home)
const check = (value: unknown, home: string): Settings =>
  readSettings(value, { file: userFile(home), line: () => undefined }, 'user')

/**
 * Changes the user's file in one step; only the user can read it. Contract: what the file says now is given to `change`, another
 * process may have written it. Comments cannot be kept: a file that has some is copied to `config.json.old` first.
 */
export function changeUserFile(home: string, change: (before: Settings) => Settings): void {
  const path = userFile(home)
  const text = textOf(home)
  const after = check(change(parse(text, home)), home)
  if (!isPlainJson(text)) copyFileSync(path, `${path}.old`)
  writeHomeFile(path, after)
}

function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
