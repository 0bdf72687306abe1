import { cleanText } from '../../text/clean-text.ts'
import { paint } from '../../text/theme.ts'
import { cutText, wrapText } from '../../text/wrap-text.ts'

/** Foreign text in lines that fit; a tab is two columns. */
export const textLines = (text: string, width: number): readonly string[] =>
  wrapText(cleanText(text).replaceAll('\t', '  '), width)

const diffRoles = [
  ['+', 'added'],
  ['-', 'removed'],
  ['@', 'info'],
] as const

/** A unified diff, a row for each line, added and removed ones in colour. */
export const diffLines = (text: string, width: number): readonly string[] =>
  cleanText(text)
    .trimEnd()
    .split('\n')
    .map(line => {
      const [, role] = diffRoles.find(([mark]) => line.startsWith(mark)) ?? ['', 'quiet' as const]
      return `  ${paint(role, cutText(line.replaceAll('\t', '  '), width - 2))}`
    })
