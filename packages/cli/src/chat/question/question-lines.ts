import { paint } from '../../text/theme.ts'
import { cutText, textColumns } from '../../text/wrap-text.ts'
import { diffLines } from '../lines/foreign-lines.ts'
import { wrapDiff } from '../lines/wrap-diff.ts'
import type { Question } from '../transcript/question.ts'
import type { FittedQuestion } from './fit-question.ts'

/** A question in its box, with a blank line above it. */
export function questionLines({ diff, help }: Question, fitted: FittedQuestion, width: number): readonly string[] {
  const inner = width - 4
  const changes = diff === undefined ? [] : diffLines(wrapDiff(diff, inner - 2), inner).slice(0, fitted.diff)
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

function boxLines(lines: readonly string[], width: number): readonly string[] {
  const border = (text: string) => paint('warn', text)
  const rule = '─'.repeat(width - 2)
  return [
    border(`╭${rule}╮`),
    ...lines.map(line => {
      const text = cutText(line, width - 4)
      return `${border('│')} ${text}${' '.repeat(Math.max(0, width - 4 - textColumns(text)))} ${border('│')}`
    }),
    border(`╰${rule}╯`),
  ]
}
