import type { MiddlewareSetting, WireMiddlewareEntry } from 'turnbuckle/client'
import { formatJson } from '../../ui/format-json.ts'

/** An entry of `middleware` as a person writes it. */
export interface EntryDraft {
  readonly use: string
  /** JSON; empty for none. */
  readonly options: string
  /** A number; empty for the middleware's own. */
  readonly priority: string
  readonly enabled: boolean
}

export const entryDraft = ({ use, options, priority, enabled = true }: MiddlewareSetting): EntryDraft => ({
  use,
  options: options === undefined ? '' : formatJson(options),
  priority: String(priority ?? ''),
  enabled,
})

/** The entry of a draft, or words that say what is wrong with it. */
export function entryOf({ use, options, priority, enabled }: EntryDraft): MiddlewareSetting | string {
  if (!use) return 'Choose a middleware.'
  const place = priority.trim() === '' ? undefined : Number(priority)
  if (Number.isNaN(place)) return 'The priority is a number.'
  const more = { ...(place === undefined ? {} : { priority: place }), ...(enabled ? {} : { enabled }) }
  if (!options.trim()) return { use, ...more }
  try {
    return { use, options: JSON.parse(options), ...more }
  } catch (error) {
    return `The options are no JSON: ${(error as Error).message}`
  }
}

/** The user's entries as they are in the file, for a change of the list. */
export const ownEntries = (entries: readonly WireMiddlewareEntry[]): MiddlewareSetting[] =>
  entries.filter(({ from }) => from === 'user').map(({ from: _from, names: _names, later: _later, ...entry }) => entry)
