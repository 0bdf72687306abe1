import type { SettingsChange, WireSettings } from 'turnbuckle/client'

interface NamedField {
  /** The setting: `maxSteps`, `tools.files`. */
  readonly name: string
  readonly label: string
  readonly about?: string
}

/** A number, of which the person writes units (1,000 for milliseconds in seconds). */
export interface NumberField extends NamedField {
  readonly unit: number
  readonly min: number
}

/** One of several values, each with its words; a value is written as JSON has it, a text as it is. */
export interface ChoiceField extends NamedField {
  readonly choices: Readonly<Record<string, string>>
}

/** A field for a setting that is read at the start. */
export type StartField = NumberField | ChoiceField

/** Fields as a person writes them, by name. */
export type StartDraft = Readonly<Record<string, string>>

/** The fields with what counts, or will count from the next start on. */
export const startDraft = (fields: readonly StartField[], settings: WireSettings['settings']): StartDraft =>
  Object.fromEntries(fields.map(field => [field.name, fieldText(field, settings)]))

function fieldText(field: StartField, settings: WireSettings['settings']): string {
  const { value, later = value } = settings[field.name] ?? {}
  return 'unit' in field && typeof later === 'number' ? String(later / field.unit) : String(later ?? '')
}

/** The change that makes the settings what the person has written: those alone that differ, `null` for an emptied field. */
export function startChange(
  fields: readonly StartField[],
  settings: WireSettings['settings'],
  draft: StartDraft,
): SettingsChange {
  const change: Record<string, unknown> = {}
  for (const field of fields) {
    const text = (draft[field.name] ?? '').trim()
    const isUnset = text === '' && settings[field.name]?.from === 'default'
    if (isUnset || text === fieldText(field, settings)) continue
    const [name = '', part] = field.name.split('.')
    if (part === undefined) change[name] = settingOf(field, text)
    else change[name] = { ...(change[name] as object | undefined), [part]: settingOf(field, text) }
  }
  return change
}

function settingOf(field: StartField, text: string): unknown {
  if (text === '') return null
  if (!('unit' in field)) return text === 'true' ? true : text === 'false' ? false : text
  const value = Math.round(Number(text) * field.unit)
  return field.name === 'retry' ? { times: value } : value
}
