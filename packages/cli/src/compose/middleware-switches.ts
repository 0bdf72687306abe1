import { join } from 'node:path'
import { readHomeFile, writeHomeFile } from '../settings/home-folder.ts'

/** Middleware that the person has switched on or off in a project, by name. */
export type MiddlewareSwitches = Readonly<Record<string, boolean>>

type Kept = Readonly<Record<string, MiddlewareSwitches>>
const fileOf = (home: string): string => join(home, 'switches.json')

/** The switches that `turnbuckle hooks enable|disable` has set for a project. */
export const readSwitches = (home: string, root: string): MiddlewareSwitches =>
  readHomeFile<Kept>(fileOf(home), {})[root] ?? {}

export function writeSwitch(home: string, root: string, name: string, enabled: boolean): void {
  const kept = readHomeFile<Kept>(fileOf(home), {})
  writeHomeFile(fileOf(home), { ...kept, [root]: { ...kept[root], [name]: enabled } })
}
