import { hardWrap } from '../terminal-text.ts'
import type { Item, Question } from './state.ts'

// What is redrawn below the transcript has to be lower than the screen: else the terminal scrolls, and lines get lost.

/** The newest of what still changes, as far as there is room, and how many are left out. */
export function newestThatFit(
  items: readonly Item[],
  room: number,
  width: number,
): [shown: readonly Item[], more: number] {
  let left = room
  let from = items.length
  while (from > 0) {
    const item = items[from - 1]
    if (!item) break
    left -= linesOf(item, width)
    if (left < 0 && from < items.length) break
    from--
  }
  return [items.slice(from), from]
}

const linesOf = (item: Item, width: number): number =>
  item.kind === 'tool' ? 2 + (item.progress === undefined ? 0 : 1) : hardWrap(item.text, width).length + 2

export interface FittedQuestion {
  readonly body: readonly string[]
  readonly diff: number
  /** Lines that are not shown. */
  readonly more: number
}

/** Lines for what a question is about: the screen without the rest of the question, the input and the status. */
export const questionRoom = (rows: number, width: number): number => Math.max(3, rows - (width < 60 ? 18 : 16))

/** As many lines of a question as there is room for; the change matters more than the arguments it is made of. */
export function fitQuestion({ body, diff = '' }: Question, room: number, width: number): FittedQuestion {
  const lines = hardWrap(body, width)
  const changes = diff ? diff.trimEnd().split('\n').length : 0
  const diffLines = Math.min(changes, Math.max(room - lines.length, Math.ceil(room / 2)))
  const shown = lines.slice(0, Math.max(1, room - diffLines))
  return { body: shown, diff: diffLines, more: lines.length - shown.length + changes - diffLines }
}
