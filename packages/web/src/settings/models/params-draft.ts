import type { ModelParams, ParamsChange } from 'turnbuckle/client'

/** Parameters as a person writes them; empty where none is set. */
export type ParamsDraft = { readonly [Name in keyof Required<ModelParams>]: string }

const names = ['temperature', 'topP', 'maxOutputTokens', 'reasoning'] as const

export const paramsDraft = (params: ModelParams = {}): ParamsDraft => ({
  temperature: String(params.temperature ?? ''),
  topP: String(params.topP ?? ''),
  maxOutputTokens: String(params.maxOutputTokens ?? ''),
  reasoning: params.reasoning ?? '',
})

/** The change that makes parameters what the person has written: only those that differ, `null` for an emptied field. */
export function paramsChange(before: ModelParams, draft: ParamsDraft): ParamsChange {
  const told = paramsDraft(before)
  const changed = names.filter(name => draft[name].trim() !== told[name])
  return Object.fromEntries(changed.map(name => [name, paramOf(name, draft[name].trim())]))
}

const paramOf = (name: keyof ModelParams, text: string): string | number | null =>
  text === '' ? null : name === 'reasoning' ? text : Number(text)
