import type { ChatSession } from '../session/chat-session.ts'
import type { KeyPress } from './key-press.ts'

/** Opens the pager: the whole transcript, with nothing folded. */
export const openPager = (session: ChatSession): void => session.set({ pager: { below: 0 } })

/** Keys that scroll, also those of `less`; lines up for a page of so many rows. */
const scrolls: Readonly<Record<string, (page: number) => number>> = {
  up: () => 1,
  k: () => 1,
  down: () => -1,
  j: () => -1,
  'page-up': page => page,
  b: page => page,
  'page-down': page => -page,
  ' ': page => -page,
  home: () => Infinity,
  g: () => Infinity,
  end: () => -Infinity,
  G: () => -Infinity,
}

/** A key press while the pager is open. `rows`: height of the terminal. */
export function pagerKey(
  session: ChatSession,
  { name, text }: KeyPress,
  rows: number = process.stdout.rows || 24,
): void {
  if (name === 'escape' || text === 'q' || (name === 'ctrl' && text === 'o')) {
    session.set({ pager: undefined })
    return
  }
  const lines = scrolls[name === 'text' ? text : name]?.(Math.max(1, rows - 3))
  const below = session.state.pager?.below ?? 0
  if (lines !== undefined) session.set({ pager: { below: Math.max(0, below + lines) } })
}
