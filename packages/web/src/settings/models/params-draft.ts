import type { ModelParams, ParamsChange } from 'turnbuckle/client'
import { paramNames, paramTable } from './param-table.ts'

/** Parameters as a person writes them; empty where none is set. */
export type ParamsDraft = { readonly [Name in keyof Required<ModelParams>]: string }

export const paramsDraft = (params: ModelParams = {}): ParamsDraft =>
  Object.fromEntries(paramNames.map(name => [name, String(params[name] ?? '')])) as ParamsDraft

/** The change that makes parameters what the person has written: only those that differ, `null` for an emptied field. */
export function paramsChange(before: ModelParams, draft: ParamsDraft): ParamsChange {
  const told = paramsDraft(before)
  const changed = paramNames.filter(name => draft[name].trim() !== told[name])
  return Object.fromEntries(changed.map(name => [name, paramOf(name, draft[name].trim())]))
}

const paramOf = (name: keyof ModelParams, text: string): string | number | null =>
  text === '' ? null : 'choices' in paramTable[name] ? text : Number(text)
