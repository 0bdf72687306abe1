import { changeOutsideCode } from './outside-code.ts'

/** First characters of a code span that holds a formula: in the line, or displayed on lines of its own. */
const marks = { inline: '\uE000', display: '\uE001' } as const

export interface Formula {
  readonly tex: string
  readonly display: boolean
}

const written =
  /(?<!\\)\\\(([\s\S]+?)\\\)|(?<!\\)\\\[([\s\S]+?)\\\]|(?<![\\$])\$\$(?!\$)([\s\S]+?)(?<!\\)\$\$|(?<![\\$\w])\$(?![\s$])((?:[^$\\\n]|\\.)+)(?<!\s)\$(?!\d|[A-Z_]{2})/g

/**
 * Puts each formula of a message's Markdown into a code span with a mark, so that the parser leaves its `_` and `*`
 * alone. Formulas are written `\( \)`, `\[ \]`, `$$ $$` or `$ $`. A lone dollar, as in `$5 and $10`, is a price.
 */
export function markMath(text: string): string {
  if (!/\$|\\[([]/.test(text)) return text
  return changeOutsideCode(text, part =>
    part.replace(written, (whole, paren, bracket, dollars, dollar, at: number) => {
      if (dollar !== undefined && isProse(dollar)) return whole
      const tex: string = paren ?? bracket ?? dollars ?? dollar
      const inTable = /^[ \t]*\|/.test(part.slice(part.lastIndexOf('\n', at) + 1, at))
      return codeSpan(inTable ? withoutBars(tex) : tex, paren === undefined && dollar === undefined)
    }),
  )
}

/** The formula in a code span that `markMath` has made; `undefined` for any other code. */
export function formulaIn(code: string): Formula | undefined {
  const display = code.startsWith(marks.display)
  if (!display && !code.startsWith(marks.inline)) return undefined
  return { tex: code.slice(1), display }
}

/** Two prices with words between: `5 (or 10`. Digits alone, or with a sign of TeX, are a formula. */
const isProse = (text: string): boolean =>
  /^\d/.test(text) && /[a-z]{2}|\s[a-z(]/i.test(text) && !/[\\^_{}=]/.test(text)

/** A bar would end the cell of a table. */
const withoutBars = (tex: string): string => tex.replace(/\\?\|/g, bar => (bar === '|' ? '\\vert{}' : '\\Vert{}'))

/** A code span on one line: a line of TeX that begins with `+` or `>` would be a list or quotation. */
function codeSpan(tex: string, display: boolean): string {
  const line = tex
    .replace(/(?<!\\)%.*$/gm, '')
    .replace(/\s*\n(?:[ \t]*>)*[ \t]*/g, ' ')
    .trim()
  const runs = line.match(/`+/g) ?? []
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map(run => run.length)))
  return `${fence}${display ? marks.display : marks.inline}${line}${fence.length > 1 ? ' ' : ''}${fence}`
}
