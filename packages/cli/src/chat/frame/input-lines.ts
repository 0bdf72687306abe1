import { paint } from '../../text/theme.ts'
import { cutText, textColumns, wrapText } from '../../text/wrap-text.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import { menuLines } from './choice-lines.ts'
import type { Frame } from './frame.ts'
import { rowsOf } from './input-window.ts'
import type { ScreenLayout } from './layout-screen.ts'
import { inputHint } from './status-line.ts'

/** The messages that wait, the input with the cursor in it, and a line of help below. */
export function inputLines(state: ChatState, layout: ScreenLayout): Frame {
  const { width, queue, queued, written } = layout
  const rest = queue.length ? `  … ${queued} more` : `⧗ ${queued} messages wait`
  const waiting = [...(queued > 0 ? [rest] : []), ...queue]
  const above = ['', ...waiting.map(line => paint('quiet', cutText(line, width)))]
  const { editor } = written
  const rows = rowsOf(editor.text, width - 3)
  const at = Math.max(
    0,
    rows.findLastIndex(({ start }) => start <= editor.cursor),
  )
  const before = rows[at]?.text.slice(0, editor.cursor - (rows[at]?.start ?? 0)) ?? ''
  const shown = editor.text === '' && !state.questions.length ? hintLines(state, width) : rows.map(({ text }) => text)
  const prompt = paint(state.running ? 'busy' : 'prompt', '❯')
  const below = helpBelow(state, layout)
  return {
    lines: [
      ...above,
      ...shown.map((line, i) => `${i ? ' ' : prompt} ${line}`),
      ...(below ? [paint('quiet', cutText(below, width))] : []),
      ...(state.menu ? menuLines(state.menu, layout.menu, width) : []),
    ],
    cursor: { row: above.length + at, column: 2 + textColumns(before) },
  }
}

const hintLines = (state: ChatState, width: number): readonly string[] =>
  wrapText(inputHint(state), width - 3).map(line => paint('quiet', line))

/** A hint, or what is left out of a long input. */
function helpBelow({ hint }: ChatState, { written: { above, below } }: ScreenLayout): string {
  if (hint) return hint
  return [above ? `${above} lines above` : '', below ? `${below} below` : ''].filter(Boolean).join(', ')
}
