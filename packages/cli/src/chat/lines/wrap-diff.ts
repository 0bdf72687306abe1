import { wrapText } from '../../text/wrap-text.ts'

/** A diff in lines of at most so many columns, nothing left out: a long line goes on in the next, with its sign. */
export const wrapDiff = (diff: string, columns: number): string =>
  diff
    .trimEnd()
    .split('\n')
    .flatMap(line => {
      const text = line.replaceAll('\t', '  ')
      const [first = '', ...rest] = wrapText(text, columns - 2)
      return [first, ...rest.map(more => `${/^[+-]/.exec(line)?.[0] ?? ' '}↳${more}`)]
    })
    .join('\n')
