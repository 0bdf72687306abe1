import { resolve } from 'node:path'
import type { Agent, Middleware } from 'turnbuckle'
import { type Bundle, bundle } from '../settings/bundle.ts'
import type { Loaded, Whose } from '../settings/load-settings.ts'
import { located } from '../settings/located.ts'
import { isPath, type MiddlewareEntry } from '../settings/settings.ts'
import type { Runnable } from '../settings/trust.ts'
import { hookModule } from './hook-module.ts'
import { namedMiddleware } from './named-middleware.ts'

/** One entry of the settings' `middleware`, and what it is at the moment. */
export interface Slot {
  readonly entry: MiddlewareEntry
  readonly from: Whose
  /** Its place in the list of the settings. */
  readonly index: string
  /** Where it is a module. */
  code: Bundle | undefined
  /** What has to be trusted before it runs. */
  runnable: Runnable | undefined
  /** What is registered now. */
  active: readonly Middleware[]
  removers: readonly (() => void)[]
}

/** Reads the entries, the user's first, without running a module. */
export async function readSlots(loaded: Loaded): Promise<readonly Slot[]> {
  const entries = (['user', 'project'] as const).flatMap(from =>
    (loaded[from].middleware ?? []).map((entry, i) => ({ entry, from, index: String(i) })),
  )
  return Promise.all(
    entries.map(async ({ entry, from, index }): Promise<Slot> => {
      const path = resolve(from === 'user' ? loaded.home : loaded.root, entry.use)
      const place = loaded.where(from, 'middleware', index, 'use')
      const code = isPath(entry.use) ? await located(place, () => bundle(path)) : undefined
      const runnable = code && from === 'project' ? hookItem(entry, code) : undefined
      return { entry, from, index, code, runnable, active: [], removers: [] }
    }),
  )
}

/** Where an entry stands, for a message: at the option that it is about, or at the entry. */
export function slotPlace({ where }: Loaded, { entry, from, index }: Slot, message: string): string {
  const options = Object.keys((entry.options ?? {}) as object)
  const key = options.find(name => new RegExp(`(?<![\\w$])${name.replace(/\W/g, '\\$&')}(?![\\w$])`).test(message))
  return where(from, 'middleware', index, ...(key === undefined ? ['use'] : ['options', key]))
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
