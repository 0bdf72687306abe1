import { oneLine } from '../../text/one-line.ts'
import { paint } from '../../text/theme.ts'
import { cutText, textColumns } from '../../text/wrap-text.ts'
import type { Menu } from '../menu/menu.ts'
import type { Picker } from '../menu/picker.ts'
import type { Frame } from './frame.ts'

interface Choice {
  readonly label: string
  readonly detail: string
}

const pickerKeys = '↑ ↓ walk · letters search · Enter takes · Esc leaves'
/** Rows of a menu under the input, at most. */
const menuRows = 8

/** Rows that a menu takes. One that is longer has a row for the number of those that are not shown. */
export const menuHeight = (menu: Menu | undefined, rows: number): number =>
  menu ? Math.min(menu.items.length, menuRows + 1, Math.max(2, Math.floor(rows / 3))) : 0

/** The menu around its choice. The chosen line is marked, too: not every terminal has colours. */
export function menuLines(menu: Menu, height: number, width: number): readonly string[] {
  const items = menu.items.map(({ text, does }) => ({ label: oneLine(text), detail: does }))
  const isWhole = items.length <= height
  const column = Math.min(28, Math.max(...items.map(({ label }) => textColumns(label)))) + 2
  const shown = around(items, menu.at, isWhole ? height : height - 1).map(({ item, chosen }) =>
    choiceLine(`${item.label.padEnd(column)}${item.detail}`, chosen, width),
  )
  return isWhole ? shown : [...shown, paint('quiet', `  ${menu.at + 1} of ${items.length}`)]
}

/** A picker: its title, what is searched for with the cursor behind it, its items with the details at the right, and its keys. */
export function pickerLines(picker: Picker, height: number, width: number): Frame {
  const { title, query, items, at } = picker
  const shown = around(items, at, Math.max(1, height - 2)).map(({ item, chosen }) => pickerLine(item, chosen, width))
  const search = query ? `· search: ${oneLine(query)}` : ''
  const head = cutText(`${paint('strong', title)} ${paint('quiet', search)}`, width)
  return {
    lines: [
      '',
      head,
      ...(shown.length ? shown : [paint('quiet', '  nothing fits')]),
      paint('quiet', cutText(width < 54 ? '↑ ↓ · letters search · Enter · Esc' : pickerKeys, width)),
    ],
    cursor: { row: 1, column: textColumns(head) },
  }
}

function pickerLine({ label, detail }: Choice, chosen: boolean, width: number): string {
  const shown = cutText(oneLine(label, width), Math.max(8, width - textColumns(detail) - 4))
  const gap = ' '.repeat(Math.max(1, width - 2 - textColumns(shown) - textColumns(detail)))
  return choiceLine(`${shown}${gap}${detail}`, chosen, width)
}

function choiceLine(text: string, chosen: boolean, width: number): string {
  const line = cutText(`${chosen ? '›' : ' '} ${text}`, width)
  return paint(chosen ? 'chosen' : 'quiet', line)
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
