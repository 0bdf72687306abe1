import { resolve } from 'node:path'
import type { Agent, Middleware } from 'turnbuckle'
import { type Bundle, bundle } from '../settings/bundle.ts'
import type { Loaded } from '../settings/load-settings.ts'
import { isPath, type MiddlewareEntry } from '../settings/settings.ts'
import type { Runnable } from '../settings/trust.ts'
import { hookModule } from './hook-module.ts'
import { namedMiddleware } from './named-middleware.ts'

/** One entry of the settings' `middleware`, and what it is at the moment. */
export interface Slot {
  readonly entry: MiddlewareEntry
  readonly from: 'user' | 'project'
  /** Where it is a module. */
  code: Bundle | undefined
  /** What has to be trusted before it runs. */
  runnable: Runnable | undefined
  /** What is registered now. */
  active: readonly Middleware[]
  removers: readonly (() => void)[]
}

/** Reads the entries, the user's first, without running a module. */
export async function readSlots({ user, project, home, root }: Loaded): Promise<readonly Slot[]> {
  const entries = [
    ...(user.middleware ?? []).map(entry => ({ entry, from: 'user' as const, folder: home })),
    ...(project.middleware ?? []).map(entry => ({ entry, from: 'project' as const, folder: root })),
  ]
  return Promise.all(
    entries.map(async ({ entry, from, folder }): Promise<Slot> => {
      const code = isPath(entry.use) ? await bundle(resolve(folder, entry.use)) : undefined
      const runnable = code && from === 'project' ? hookItem(entry, code) : undefined
      return { entry, from, code, runnable, active: [], removers: [] }
    }),
  )
}

export const hookItem = ({ use }: MiddlewareEntry, { files, hash }: Bundle): Runnable => ({
  kind: 'hook',
  name: use,
  does: files.length > 1 ? `hooks; with ${files.length - 1} more files: ${files.slice(0, 5).join(', ')}` : 'hooks',
  hash,
})

/** Makes what the entry stands for. */
export async function makeSlot({ entry, code }: Pick<Slot, 'entry' | 'code'>): Promise<readonly Middleware[]> {
  const made = code ? await hookModule(code, entry.options) : await namedMiddleware(entry.use, entry.options)
  const { priority } = entry
  return priority === undefined ? made : made.map(one => ({ ...one, priority }))
}

/** Puts the new in the old one's place, in one go. When the agent refuses it, the old stays. */
export function fillSlot(agent: Agent, slot: Slot, made: readonly Middleware[], switched: Switches): void {
  const before = slot.active
  const put = (list: readonly Middleware[]) => {
    const removers: (() => void)[] = []
    try {
      for (const one of list) removers.push(agent.use(one))
    } catch (error) {
      for (const remove of removers) remove()
      throw error
    }
    for (const { name } of list) if (!(switched[name] ?? slot.entry.enabled ?? true)) agent.disable(name)
    slot.removers = removers
    slot.active = list
  }
  for (const remove of slot.removers) remove()
  try {
    put(made)
  } catch (error) {
    put(before)
    throw error
  }
}

/** What the person has switched on or off in this project, by name. */
export type Switches = Readonly<Record<string, boolean>>
