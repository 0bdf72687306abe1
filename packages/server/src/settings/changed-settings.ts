import type { ConversationSettings, ModelParams, ParamsChange } from 'turnbuckle/client'

/** A change of a conversation's settings: `null` takes one back, and what is not named stays. */
export interface ConversationSettingsChange {
  readonly model?: string | null | undefined
  readonly instructions?: string | null | undefined
  readonly params?: { readonly [Name in keyof ParamsChange]?: ParamsChange[Name] | undefined } | undefined
}

/** The settings after a change. */
export function changedSettings(
  before: ConversationSettings,
  { model = before.model, instructions = before.instructions, params }: ConversationSettingsChange,
): ConversationSettings {
  const all: ModelParams = withoutEmpty({ ...before.params, ...params })
  return withoutEmpty({ model, instructions, params: Object.keys(all).length ? all : undefined })
}

/** Takes out what is null, empty or undefined. */
const withoutEmpty = <Kept extends object>(given: object): Kept =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value != null && value !== '')) as Kept
