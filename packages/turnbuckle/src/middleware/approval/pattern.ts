import { TurnbuckleError } from '../../core/base/errors.ts'
import { betweenStars, type Characters, charactersOf, glob } from './glob.ts'
import { hostRule } from './host-rule.ts'
import { mayBecome } from './may-become.ts'
import { climbs, hrefOf, plainRules } from './plain-forms.ts'

/**
 * The calls that a rule or a grant covers. `*` stands for anything, `\` takes the next character as it is.
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
  /** True where a star stands for any arguments. */
  readonly open: boolean
  /** The plain text before its first star. */
  readonly beginning: string
  names(tool: string): boolean
  /**
   * For a yes: a path that climbs is not where it seems to be, so that only what names it exactly covers it; and an address has to fit as
   * it is asked for too, at a host that the pattern names.
   */
  fits(value: string): boolean
  /** For a no, which climbing does not lift. */
  means(value: string): boolean
  /** For a no to a path or an address, given in its plain form. */
  meansPlain(value: string): boolean
  /** True where a command that a shell has yet to expand may come to fit. */
  mayFit(command: string): boolean
}

export function parsePattern(text: string): Pattern {
  const [, tool, argument] = /^([\w.:*-]+)(?:\(([\s\S]*)\))?$/.exec(text.trim()) ?? []
  if (tool === undefined)
    throw new TurnbuckleError(
      'permission.pattern',
      `"${text}" is not a permission pattern. Write a tool, "read_file", or a tool and an argument, "shell(rm *)".`,
    )
  const [, key, value] = /^(\w+)=([\s\S]*)$/.exec(argument ?? '') ?? []
  const meant = value ?? argument ?? '*'
  // `git *` is `git` alone too.
  const forms = [meant, ...(meant.endsWith(' *') ? [meant.slice(0, -2)] : [])].map(charactersOf)
  const plain = plainOf(forms[0] ?? [])
  const isAtHost = hostRule(writtenOf(forms[0] ?? []))
  const [names, means, meansPlain] = [glob([charactersOf(tool)]), glob(forms), glob([...forms, ...plain])]
  return {
    text,
    bare: argument === undefined,
    key,
    open: forms.some(form => form.includes(undefined)),
    beginning: betweenStars(plain[0] ?? forms[0] ?? [])[0] ?? '',
    names,
    means,
    meansPlain,
    fits: given =>
      means(given) &&
      !(argument?.includes('*') && climbs(given)) &&
      meansPlain(hrefOf(given) ?? given) &&
      isAtHost(given),
    mayFit: command => forms.some(form => mayBecome(command, form)),
  }
}

/** Characters that mean something in a pattern, taken as they are. */
export const literally = (value: string): string => value.replace(/[\\*=]/g, '\\$&')

/** The path or address that a form may be, in plain. None where a star is to be taken as it is, which would become one for anything. */
function plainOf(form: Characters): Characters[] {
  if (form.includes('*')) return []
  return plainRules(writtenOf(form)).map(charactersOf)
}

const writtenOf = (form: Characters): string => form.map(character => character ?? '*').join('')
