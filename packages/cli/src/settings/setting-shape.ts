/** The values that a setting may have. */
export type SettingShape =
  | { readonly is: 'text' | 'boolean' | 'number' | 'amount' | 'count' | 'anything' }
  | { readonly is: 'one of'; readonly values: readonly unknown[] }
  | { readonly is: 'list' | 'map'; readonly of: SettingShape }
  | { readonly is: 'object'; readonly keys: Readonly<Record<string, SettingShape>>; readonly needs?: readonly string[] }

export const text: SettingShape = { is: 'text' }
export const boolean: SettingShape = { is: 'boolean' }
export const number: SettingShape = { is: 'number' }
/** Zero or more. */
export const amount: SettingShape = { is: 'amount' }
/** 1, 2, 3 … */
export const count: SettingShape = { is: 'count' }
export const anything: SettingShape = { is: 'anything' }
export const oneOf = (...values: readonly unknown[]): SettingShape => ({ is: 'one of', values })
export const list = (of: SettingShape): SettingShape => ({ is: 'list', of })
export const map = (of: SettingShape): SettingShape => ({ is: 'map', of })
export const object = (keys: Readonly<Record<string, SettingShape>>, ...needs: readonly string[]): SettingShape => ({
  is: 'object',
  keys,
  needs,
})
