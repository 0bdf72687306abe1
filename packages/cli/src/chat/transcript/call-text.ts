import { visibleValue } from '../../text/visible-value.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Arguments that the diff shows. */
const inDiff: readonly string[] = ['content', 'old', 'new']

/** A call exactly as it would run: `$ command`, the path where a diff shows the rest, else an argument a line. */
export function callText(name: unknown, args: unknown, diff: string | undefined): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return visibleValue(args, 2)
  const given = args as Arguments
  const { command, path } = given
  if (typeof command === 'string') return [`$ ${lines(command)}`, ...argumentLines(given, ['command'])].join('\n')
  if (typeof path !== 'string' || (name !== 'write_file' && name !== 'edit_file'))
    return argumentLines(given, []).join('\n') || '(no arguments)'
  const shown = diff === undefined ? [] : inDiff.filter(key => isPlain(given[key]))
  return [visibleValue(path), ...argumentLines(given, ['path', ...shown])].join('\n')
}

/** Arguments besides those that are shown already: nothing is hidden from the person. */
const argumentLines = (args: Arguments, without: readonly string[]): readonly string[] =>
  Object.entries(args)
    .filter(([key]) => !without.includes(key))
    .map(([key, value]) => `${visibleValue(key)}: ${typeof value === 'string' ? lines(value) : visibleValue(value, 2)}`)

/** Further lines of a text are indented, so that none of them looks like an argument. */
const lines = (text: string): string => visibleValue(text).replaceAll('\\u0009', '  ').replace(/\n/g, '\n  ')

/** A diff has no control characters: a text with some is shown besides. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'string' && visibleValue(value.replace(/[\t\n]|\r\n/g, '')) === value.replace(/[\t\n]|\r\n/g, '')
