import { join } from 'node:path'
import { readOwn, writeOwn } from '../settings/home.ts'
import type { Switches } from './slots.ts'

type Kept = Readonly<Record<string, Switches>>
const fileOf = (home: string): string => join(home, 'switches.json')

/** What `turnbuckle hooks enable|disable` has set for a project. */
export const readSwitches = (home: string, root: string): Switches => readOwn<Kept>(fileOf(home), {})[root] ?? {}

export function writeSwitch(home: string, root: string, name: string, enabled: boolean): void {
  const kept = readOwn<Kept>(fileOf(home), {})
  writeOwn(fileOf(home), { ...kept, [root]: { ...kept[root], [name]: enabled } })
}
