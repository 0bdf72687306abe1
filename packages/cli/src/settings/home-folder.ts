import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UserError } from '../errors/user-error.ts'

/** The user's folder: `~/.config/turnbuckle`, or where `TURNBUCKLE_HOME` says. */
export const homeFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  env.TURNBUCKLE_HOME || join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'turnbuckle')

/** A small JSON file of the program's own. Written to a new file that takes the old one's place. */
export function readHomeFile<Value>(path: string, empty: Value): Value {
  let text: string
  try {
    // Most have no such file, and an error costs ten times as much as the look for it.
    if (!statSync(path, { throwIfNoEntry: false })) return empty
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty
    throw new UserError(`"${path}" cannot be read: ${(error as Error).message}`, 1)
  }
  try {
    return JSON.parse(text) as Value
  } catch {
    throw new UserError(`"${path}" is damaged. Move it away to start anew.`, 1)
  }
}

export function writeHomeFile(path: string, value: unknown): void {
  const fresh = `${path}.${process.pid}.new`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(fresh, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 })
    renameSync(fresh, path)
  } catch (error) {
    throw new UserError(`"${path}" cannot be written: ${(error as Error).message}`, 1)
  }
}
