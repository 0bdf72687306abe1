import { TurnbuckleError } from '../../core/errors.ts'
import { mayBecome } from './may-become.ts'

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
  /** Whether a command that a shell has yet to expand may come to fit. */
  mayFit(command: string): boolean
}

export function parsePattern(text: string): Pattern {
  const [, tool, argument] = /^([\w.:*-]+)(?:\(([\s\S]*)\))?$/.exec(text.trim()) ?? []
  if (tool === undefined)
    throw new TurnbuckleError(
      'permission.pattern',
      `"${text}" is not a permission pattern. Write a tool, "read_file", or a tool and an argument, "shell(rm *)".`,
    )
  const names = glob(tool)
  const [, key, value] = /^(\w+)=([\s\S]*)$/.exec(argument ?? '') ?? []
  const meant = value ?? argument ?? '*'
  const fits = glob(meant)
  const forms = (isOpen(meant) ? [meant, meant.slice(0, -2)] : [meant]).map(charactersOf)
  return {
    text,
    bare: argument === undefined,
    key,
    names: name => names.test(name),
    // A path that climbs is not where it seems to be: only what names it exactly covers it.
    mayFit: command => forms.some(form => mayBecome(command, form)),
    fits: given => fits.test(given) && !(argument?.includes('*') && /(^|[\\/])\.\.([\\/]|$)/.test(given)),
  }
}

/** Characters that mean something in a pattern, taken as they are. */
export const literally = (value: string): string => value.replace(/[\\*=]/g, '\\$&')

/** `git *` is `git` alone too. */
const isOpen = (pattern: string): boolean => / \*$/.test(pattern)

/** One after the other; nothing for a star. */
const charactersOf = (pattern: string): (string | undefined)[] =>
  Array.from(pattern.matchAll(/\\([\s\S])|\*|[\s\S]/g), ([sign, escaped]) =>
    sign === '*' ? undefined : (escaped ?? sign),
  )

function glob(pattern: string): RegExp {
  const open = isOpen(pattern)
  const source = charactersOf(open ? pattern.slice(0, -2) : pattern)
    .map(character => character?.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') ?? '[\\s\\S]*')
    .join('')
  return new RegExp(`^${source}${open ? '(?: [\\s\\S]*)?' : ''}$`)
}
