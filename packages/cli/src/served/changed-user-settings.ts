import type { SettingsChange } from 'turnbuckle/client'
import type { Settings } from '../settings/settings.ts'

/** The user's settings after a change; `null` takes one out. Settings that the change does not name stay. */
export function changedUserSettings(before: Settings, { params, env, ...named }: SettingsChange): Settings {
  return compact({
    ...before,
    ...named,
    ...(params ? { params: compact({ ...before.params, ...params }) } : {}),
    ...(env ? { env: compact({ ...before.env, ...env }) } : {}),
  })
}

/** Without what is null, undefined or an object with nothing in it. */
const compact = <Kept extends object>(given: object): Kept =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value != null && !isEmpty(value))) as Kept

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
