import { oneLine } from '../../text/one-line.ts'
import { textColumns } from '../../text/wrap-text.ts'
import type { Menu } from '../menu/menu.ts'
import type { Picker } from '../menu/picker.ts'

export interface ChoiceLine {
  readonly text: string
  readonly chosen: boolean
}

interface Choice {
  readonly label: string
  readonly detail: string
}

/** Rows of a menu under the input, at most. */
const menuRows = 8

/** Rows that a menu takes. One that is longer has a row for the number of those that are not shown. */
export const menuHeight = (menu: Menu | undefined, rows: number): number =>
  menu ? Math.min(menu.items.length, menuRows + 1, Math.max(2, Math.floor(rows / 3))) : 0

/** The menu around its choice. */
export function menuLines(menu: Menu, height: number, width: number): readonly ChoiceLine[] {
  const items = menu.items.map(({ text, does }) => ({ label: text, detail: does }))
  const isWhole = items.length <= height
  const column = Math.min(28, Math.max(...items.map(({ label }) => textColumns(label)))) + 2
  const shown = around(items, menu.at, isWhole ? height : height - 1).map(({ item, chosen }) => ({
    text: oneLineOf(`${chosen ? '❯' : ' '} ${item.label.padEnd(column)}${item.detail}`, width),
    chosen,
  }))
  return isWhole ? shown : [...shown, { text: `  ${menu.at + 1} of ${items.length}`, chosen: false }]
}

/** A picker: its title, what is searched for, its items with the details at the right, and its keys. */
export function pickerLines(picker: Picker, height: number, width: number): readonly ChoiceLine[] {
  const { title, query, items, at } = picker
  const room = Math.max(1, height - 3)
  const shown = around(items, at, room).map(({ item, chosen }) => ({ text: pickerLine(item, chosen, width), chosen }))
  return [
    { text: oneLineOf(title, width), chosen: false },
    { text: oneLineOf(`search: ${query}▏`, width), chosen: false },
    ...(shown.length ? shown : [{ text: '  nothing fits', chosen: false }]),
    { text: oneLineOf('↑ ↓ walk · letters search · Enter takes · Esc leaves', width), chosen: false },
  ]
}

function pickerLine({ label, detail }: Choice, chosen: boolean, width: number): string {
  const room = Math.max(8, width - textColumns(detail) - 5)
  const shown = oneLine(label, room)
  const gap = ' '.repeat(Math.max(1, width - 3 - textColumns(shown) - textColumns(detail)))
  return oneLineOf(`${chosen ? '❯' : ' '} ${shown}${gap}${detail}`, width)
}

/** As many items as there is room for, the chosen one among them. */
function around<Item>(
  items: readonly Item[],
  at: number,
  room: number,
): readonly { readonly item: Item; readonly chosen: boolean }[] {
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), items.length - room))
  return items.slice(from, from + room).map((item, i) => ({ item, chosen: from + i === at }))
}

const oneLineOf = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text)
