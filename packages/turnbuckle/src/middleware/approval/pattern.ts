import { TurnbuckleError } from '../../core/errors.ts'

/**
 * What a rule or a grant covers. `*` stands for anything, `\` takes the next character as it is.
 *
 * | written | covers |
 * |---|---|
 * | `read_file`, `git_*`, `*` | every call of the tool, of these tools, of all tools |
 * | `shell(rm *)` | calls whose telling argument is like that; `rm` alone too |
 * | `fetch(url=https://example.com/*)` | calls whose argument `url` is like that |
 */
export interface Pattern {
  readonly text: string
  /** Whatever the arguments are. */
  readonly bare: boolean
  /** The argument it looks at, where it names one. */
  readonly key: string | undefined
  names(tool: string): boolean
  fits(value: string): boolean
}

export function parsePattern(text: string): Pattern {
  const [, tool, argument] = /^([\w.:*-]+)(?:\(([\s\S]*)\))?$/.exec(text.trim()) ?? []
  if (tool === undefined)
    throw new TurnbuckleError(
      'permission.pattern',
      `"${text}" is no permission pattern. Write a tool, "read_file", or a tool and an argument, "shell(rm *)".`,
    )
  const names = glob(tool)
  const [, key, value] = /^(\w+)=([\s\S]*)$/.exec(argument ?? '') ?? []
  const fits = glob(value ?? argument ?? '*')
  return {
    text,
    bare: argument === undefined,
    key,
    names: name => names.test(name),
    // A path that climbs is not where it seems to be: only what names it exactly covers it.
    fits: given => fits.test(given) && !(argument?.includes('*') && /(^|[\\/])\.\.([\\/]|$)/.test(given)),
  }
}

/** Characters that mean something in a pattern, taken as they are. */
export const literally = (value: string): string => value.replace(/[\\*=]/g, '\\$&')

function glob(pattern: string): RegExp {
  const open = / \*$/.test(pattern)
  const body = open ? pattern.slice(0, -2) : pattern
  const source = [...body.matchAll(/\\([\s\S])|\*|[\s\S]/g)]
    .map(([sign, escaped]) => (sign === '*' ? '[\\s\\S]*' : (escaped ?? sign).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')))
    .join('')
  return new RegExp(`^${source}${open ? '(?: [\\s\\S]*)?' : ''}$`)
}
