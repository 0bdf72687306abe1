import { fuzzyRank } from './fuzzy-rank.ts'

export interface PickerItem {
  readonly id: string
  readonly label: string
  /** Shown behind the label: age, cost. */
  readonly detail: string
}

/** A list to choose from: letters search, arrows walk, Enter takes, Esc leaves. */
export interface Picker {
  readonly title: string
  readonly all: readonly PickerItem[]
  readonly query: string
  /** Those of `all` that fit the query. */
  readonly items: readonly PickerItem[]
  readonly at: number
  take(id: string): void
}

export const openPicker = (
  title: string,
  all: readonly PickerItem[],
  take: Picker['take'],
  current?: string,
): Picker => ({
  title,
  all,
  query: '',
  items: all,
  at: Math.max(
    0,
    all.findIndex(({ id }) => id === current),
  ),
  take,
})

export const searchPicker = (picker: Picker, query: string): Picker => ({
  ...picker,
  query,
  items: fuzzyRank(picker.all, query, ({ label, id }) => `${label} ${id}`),
  at: 0,
})

export const walkPicker = (picker: Picker, by: number): Picker => ({
  ...picker,
  at: Math.max(0, Math.min(picker.items.length - 1, picker.at + by)),
})
