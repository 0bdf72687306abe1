import { cleanText } from '../../text/clean-text.ts'
import { paint } from '../../text/theme.ts'
import { cutText } from '../../text/wrap-text.ts'
import { lastLines } from '../lines/growing-lines.ts'
import type { ChatState } from '../transcript/chat-state.ts'

/** Lines of each command's output. */
const shown = 5

/** The last lines that commands of the person's own have written so far, a blank one above them; no more than there are rows. */
export function besideLines({ beside }: Pick<ChatState, 'beside'>, width: number, rows: number): readonly string[] {
  const lines = beside.flatMap(({ output = '' }) => {
    const written = cleanText(output).trimEnd().replaceAll('\t', '  ')
    const all = written.split('\n').map(line => paint('info', cutText(`  ${line}`, width)))
    return written ? ['', ...lastLines(all, shown)] : []
  })
  return rows > 0 ? lines.slice(-rows) : []
}
