import { paint } from '../../text/theme.ts'
import { cutText } from '../../text/wrap-text.ts'
import { diffLines } from '../lines/foreign-lines.ts'
import { smallestWindow } from '../lines/smallest-window.ts'
import type { Question } from '../transcript/question.ts'
import type { FittedQuestion } from './fit-question.ts'

/** A question beside its line, with a blank line above it. */
export function questionLines({ help }: Question, fitted: FittedQuestion, width: number): readonly string[] {
  const changes = fitted.diff.length ? diffLines(fitted.diff.join('\n'), width - 4) : []
  const more = fitted.more > 0 ? [paint('quiet', `… ${fitted.more} more lines, see above`)] : []
  const lines = [
    ...fitted.title.map(line => paint('warn', paint('strong', line))),
    ...fitted.body,
    ...changes,
    ...more,
    ...fitted.pattern.map(line => paint('quiet', line)),
    ...fitted.problem.map(line => paint('bad', line)),
    ...fitted.keys.map(line => (help ? line : paint('quiet', line))),
  ]
  return ['', ...boxLines(lines, width)]
}

/** A box that is open at the right: its lines are no longer than their text, so that few of them wrap in a window that becomes narrower. */
function boxLines(lines: readonly string[], width: number): readonly string[] {
  const border = (text: string) => paint('warn', text)
  const rule = '─'.repeat(Math.min(width, smallestWindow.columns - 1) - 1)
  return [border(`╭${rule}`), ...lines.map(line => `${border('│')} ${cutText(line, width - 2)}`), border(`╰${rule}`)]
}
