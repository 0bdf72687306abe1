import type { ModelParams } from 'turnbuckle/client'

interface FieldTexts {
  readonly label: string
  readonly about: string
}
export interface NumberField extends FieldTexts {
  readonly min: number
  readonly max?: number
  readonly step: number
}
export interface ChoiceField extends FieldTexts {
  readonly choices: readonly string[]
}

/** The field of each parameter of model calls: one of `ModelParams` that is not here is a type error. */
export const paramTable: { readonly [Name in keyof Required<ModelParams>]: NumberField | ChoiceField } = {
  temperature: { label: 'Temperature', about: '0 to 2; 0 is least random', min: 0, max: 2, step: 0.1 },
  topP: { label: 'Top P', about: '0 to 1', min: 0, max: 1, step: 0.05 },
  maxOutputTokens: { label: 'Most tokens of a reply', about: 'a whole number', min: 1, step: 1 },
  reasoning: { label: 'Reasoning', about: 'where the model can', choices: ['low', 'medium', 'high'] },
}

export const paramNames = Object.keys(paramTable) as (keyof ModelParams)[]
