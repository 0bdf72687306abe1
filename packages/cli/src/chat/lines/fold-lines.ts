import { paint } from '../../text/theme.ts'

/** The first lines, or the last ones of a command's output; and how many are left out, if that is more than the one line that says so. */
export function foldLines(lines: readonly string[], count: number, last = false): readonly string[] {
  const more = lines.length - count
  if (more <= 1) return lines
  const said = paint('quiet', `  … ${more} more lines (Ctrl-O)`)
  return last ? [said, ...lines.slice(-count)] : [...lines.slice(0, count), said]
}
