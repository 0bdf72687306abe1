import { styled } from '../../text/styled.ts'
import { wrapText } from '../../text/wrap-text.ts'
import type { ChatSession } from '../chat-session.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import { inputHint, statusLine } from './status-line.ts'

/**
 * Shows the prompt while Ink is still being loaded, so that one can type at once. Only where the transcript is empty.
 * Returns how to take it away.
 */
export function firstScreen(session: ChatSession, out: NodeJS.WriteStream = process.stdout): () => void {
  const { columns = 80, rows = 24 } = out
  const lines = linesOf(session.state, columns)
  if (!lines || lines.length > rows) return () => {}
  let shown = 0
  const clear = () => {
    // Line by line: some terminals keep what is cleared at once.
    out.write(shown ? `\r\x1b[2K${'\x1b[A\x1b[2K'.repeat(shown - 1)}` : '')
    shown = 0
  }
  const paint = () => {
    const next = linesOf(session.state, columns) ?? []
    clear()
    out.write(`\x1b[?25l${next.join('\r\n')}`)
    shown = next.length
  }
  paint()
  const stop = session.subscribe(paint)
  return () => {
    stop()
    clear()
  }
}

/**
 * Notices, prompt and status, each cut to one row so that the rows can be counted. Undefined: there is more than a
 * prompt to show.
 */
function linesOf(state: ChatState, columns: number): readonly string[] | undefined {
  const { past, live, questions, editor, tree } = state
  if (live.length || questions.length || tree || past.some(({ kind }) => kind !== 'notice')) return undefined
  const written = fit(editor.text.split('\n').at(-1) ?? '', columns - 4)
  const hint = editor.text ? '' : ` ${styled('dim', fit(inputHint(state.running), columns - 5))}`
  return [
    ...past.flatMap(item => ['', styled('dim', fit('text' in item ? item.text : '', columns))]),
    '',
    `${styled('cyan', '❯')} ${written}${styled('inverse', ' ')}${hint}`,
    styled('dim', fit(statusLine(state), columns)),
  ]
}

const fit = (text: string, columns: number): string => wrapText(text, columns - 1)[0] ?? ''
