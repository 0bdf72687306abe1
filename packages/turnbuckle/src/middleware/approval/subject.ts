import type { Call } from '../../core/base/message.ts'
import type { Pattern } from './pattern.ts'

/** Gives the texts of a call that argument patterns are matched against. `'unknown'`: it cannot be told what the call does. */
export type Parts = (call: Pick<Call, 'name' | 'args'>) => readonly string[] | 'unknown' | undefined

/** A call, as rules look at it. */
export interface Subject {
  readonly name: string
  readonly args: unknown
  /** Every one of them must be allowed. One that is `undefined` is covered by bare patterns only. */
  readonly texts: readonly (string | undefined)[]
  /** Every text in the arguments: patterns that forbid are matched against all of them. */
  readonly everywhere: readonly string[]
  readonly unknown: boolean
  /** True where the texts are commands of a shell. */
  readonly command: boolean
  /** True where arguments name the place: a path, an address, a query. */
  readonly telling: boolean
}

const telling: readonly string[] = ['command', 'path', 'file', 'url', 'from', 'to', 'source', 'destination', 'query']

export function subjectOf(call: Pick<Call, 'name' | 'args'>, parts: Parts | undefined): Subject {
  const { name, args } = call
  const command = textAt(args, 'command')
  const analysed = parts?.(call)
  const found = analysed ?? (command === undefined ? tellingTexts(args) : simpleCommand(command))
  const unknown = found === 'unknown'
  const texts = found === 'unknown' || !found.length ? [undefined] : found
  const everywhere = [...(found === 'unknown' ? [] : found), ...textsIn(args), ...(command ? pieces(command) : [])]
  const isCommand = command !== undefined || analysed !== undefined
  return { name, args, texts, everywhere, unknown, command: isCommand, telling: hasTelling(args) }
}

/** Without an analyser only a line without any sign that means something to a shell is understood. */
const simpleCommand = (command: string): readonly string[] | 'unknown' =>
  /^[\w ./:=@%+,-]+$/.test(command) && !/^\s*\w+=/.test(command) ? [command.trim()] : 'unknown'

/** Roughly the commands in a line: enough to find a forbidden one, never to allow one. */
const pieces = (command: string): string[] =>
  command
    .split(/[;&|\n()`{}]|\$\(/)
    .map(piece => piece.replace(/["'\\]/g, '').trim())
    .flatMap(piece => [piece, piece.replace(/^(?:\w+=\S*\s+|sudo\s+|env\s+|nohup\s+|time\s+|exec\s+|command\s+)+/, '')])
    .flatMap(piece => [piece, piece.replace(/^\S*\//, '')])
    .flatMap(piece => [piece, piece.replace(gitOptions, 'git ')])

/** `git -C . push` is `git push` too. */
const gitOptions =
  /^git\s+(?:(?:-[cC]|--(?:git-dir|work-tree|namespace|attr-source|super-prefix|shallow-file))\s+\S+\s+|-\S+\s+)+/

/** The arguments that say what the call is about; where none has a telling name, every text on the first level. */
function tellingTexts(args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return []
  const entries = Object.entries(args).filter(([, value]) => typeof value === 'string') as [string, string][]
  const named = entries.filter(([key]) => telling.includes(key))
  return (named.length ? named : entries).map(([, value]) => value)
}

const hasTelling = (args: unknown): boolean => telling.some(key => textAt(args, key) !== undefined)

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function textAt(args: unknown, key: string): string | undefined {
  const value = typeof args === 'object' && args !== null ? (args as Record<string, unknown>)[key] : undefined
  return typeof value === 'string' ? value : undefined
}

/** True where a pattern covers one text of a call. */
export function covers(pattern: Pattern, subject: Subject, text: string | undefined): boolean {
  if (!pattern.names(subject.name)) return false
  if (pattern.bare) return true
  const value = pattern.key === undefined ? text : textAt(subject.args, pattern.key)
  return value !== undefined && pattern.fits(value)
}

/** True where a pattern that forbids matches the call: any text in the arguments may give the reason. */
export const forbids = (pattern: Pattern, subject: Subject): boolean =>
  pattern.key === undefined
    ? [undefined, ...subject.everywhere].some(text => covers(pattern, subject, text))
    : covers(pattern, subject, undefined)

/** True where a pattern about arguments may match in the end: the command cannot be parsed, or its shell has yet to expand it. */
export const mayForbid = (pattern: Pattern, { name, texts, unknown, command }: Subject): boolean =>
  !pattern.bare &&
  pattern.names(name) &&
  (unknown ||
    (command &&
      (pattern.key ?? 'command') === 'command' &&
      texts.some(text => text !== undefined && !isExpansion(text) && pattern.mayFit(text))))

/** A part of a line that is no command by itself. */
const isExpansion = (text: string): boolean => /^[$`{]/.test(text)
