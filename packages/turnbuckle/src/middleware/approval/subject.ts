import type { Call } from '../../core/base/message.ts'
import type { Pattern } from './pattern.ts'
import { isAbsolute, plainForms } from './plain-forms.ts'

/** Gives the texts of a call that argument patterns are matched against. `'unknown'`: it cannot be told what the call does. */
export type Parts = (call: Pick<Call, 'name' | 'args'>) => readonly string[] | 'unknown' | undefined

/** Gives the names of the place that a call's path leads to, links followed; the first is the one that rules are written with. */
export type CallPlaces = (call: Pick<Call, 'name' | 'args'>) => readonly string[]

/** A call, as rules look at it. */
export interface Subject {
  readonly name: string
  readonly args: unknown
  /** Every one of them must be allowed. One that is `undefined` is covered by bare patterns only. */
  readonly texts: readonly (string | undefined)[]
  /** Every text in the arguments, and every command: patterns that forbid are matched against all of them. */
  readonly everywhere: readonly string[]
  /** Commands of a shell among them: those that an analyser found, and roughly those in the line. */
  readonly commands: readonly string[]
  /** The plain forms of the arguments that may be a path or an address. */
  readonly plain: readonly string[]
  /** Names of the place that the call's path leads to. */
  readonly places: readonly string[]
  /** The first of them, where no argument names the place: a link leads there. It is one of the texts. */
  readonly ledTo: string | undefined
  readonly unknown: boolean
  /** True where the texts are commands of a shell. */
  readonly command: boolean
  /** True where arguments name the place: a path, an address, a query. */
  readonly telling: boolean
  /** True where arguments that are none of the texts may change what the call does: `args` beside `command`, `method` beside `url`. */
  readonly more: boolean
}

/** Arguments that name a file or a folder. */
const pathKeys: readonly string[] = ['path', 'file', 'from', 'to', 'source', 'destination']
const telling: readonly string[] = ['command', 'url', 'query', ...pathKeys]

export function subjectOf(call: Pick<Call, 'name' | 'args'>, parts?: Parts, placesOf?: CallPlaces): Subject {
  const { name, args } = call
  const places = placesOf?.(call) ?? []
  const command = textAt(args, 'command')
  const analysed = parts?.(call)
  const found = analysed ?? (command === undefined ? tellingTexts(args) : simpleCommand(command))
  const unknown = found === 'unknown'
  const known = found === 'unknown' ? [] : found
  const ledTo = known.length ? placeLedTo(args, places) : undefined
  const isCommand = command !== undefined || analysed !== undefined
  const commands = isCommand ? [...known, ...(command ? pieces(command) : [])] : []
  return {
    ...{ name, args, commands, places, ledTo, unknown, command: isCommand, telling: hasTelling(args) },
    // An analyser has looked at the whole call.
    more: analysed === undefined && hasMore(name, args),
    texts: known.length ? [...known, ...(ledTo === undefined ? [] : [ledTo])] : [undefined],
    everywhere: [...textsIn(args), ...commands],
    plain: placesIn(args).flatMap(plainForms),
  }
}

/** A place that no path of the call names: a link leads there, and whoever allows the link has not allowed that. */
function placeLedTo(args: unknown, places: readonly string[]): string | undefined {
  if (isWithoutPath(args, places) || pathsIn(args).some(path => isNamed(path, places))) return undefined
  return places[0]
}

/** A call without a path is about the workspace itself: no link leads there. */
const isWithoutPath = (args: unknown, [place]: readonly string[]): boolean => place === '.' && !isTold(args)

const isNamed = (path: string, places: readonly string[]): boolean =>
  [path, ...plainForms(path)].some(form => places.includes(form))

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

/** The arguments that say what the call is about, lists of texts among them; where none has a telling name, every text on the first level. */
function tellingTexts(args: unknown): string[] {
  const named = tellingEntries(args)
  return (named.length ? named : entriesOf(args).filter(([, value]) => typeof value === 'string')).flatMap(
    ([, value]) => textsIn(value),
  )
}

const entriesOf = (args: unknown): [string, unknown][] =>
  typeof args === 'object' && args !== null ? Object.entries(args).filter(([, value]) => value !== undefined) : []

/** A list of words for `command` is none: what it does lies in their order. */
const tellingEntries = (args: unknown): [string, unknown][] =>
  entriesOf(args).filter(
    ([key, value]) =>
      telling.includes(key) && (typeof value === 'string' || (key !== 'command' && isListOfTexts(value))),
  )

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string')

const hasTelling = (args: unknown): boolean =>
  tellingEntries(args).length > 0 || entriesOf(args).some(([key, value]) => key === 'command' && isListOfTexts(value))

/** By our own tools: arguments that change nothing about what a yes to the place, or to the command, is for. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  edit_file: ['path', 'old', 'new', 'all'],
  list_files: ['path', 'pattern', 'depth'],
  read_file: ['path', 'from', 'lines'],
  search_files: ['path', 'pattern', 'glob', 'literal', 'ignoreCase'],
  shell: ['command', 'timeout'],
  write_file: ['path', 'content'],
}

/**
 * True for arguments beside the one that the texts are of. Two that are told by their texts alone could be exchanged: `from` and `to`.
 */
function hasMore(name: string, args: unknown): boolean {
  const known = Object.hasOwn(harmless, name) ? (harmless[name] ?? []) : []
  const entries = entriesOf(args)
  if (entries.every(([key]) => known.includes(key))) return false
  const named = tellingEntries(args)
  return entries.length > 1 || (named.length === 0 && entries.some(([, value]) => typeof value !== 'string'))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function textAt(args: unknown, key: string): string | undefined {
  const value = typeof args === 'object' && args !== null ? (args as Record<string, unknown>)[key] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Arguments that are no path and no address, whatever stands in them. */
const wordsKeys: readonly string[] = ['command', 'query', 'content']
/** Texts of the arguments that may be a path, or an address. */
const placesIn = (args: unknown): readonly string[] =>
  isTold(args)
    ? Object.entries(args as object).flatMap(([key, value]) => (wordsKeys.includes(key) ? [] : textsIn(value)))
    : textsIn(args)
const pathsIn = (args: unknown): readonly string[] => (isTold(args) ? textsOf(args, pathKeys) : textsIn(args))

const isPathKey = (key: string, { args, places }: Subject): boolean =>
  pathKeys.includes(key) || !(isTold(args) || isWithoutPath(args, places))

const isTold = (args: unknown): boolean => typeof args === 'object' && args !== null && telling.some(key => key in args)

const textsOf = (args: unknown, keys: readonly string[]): string[] =>
  keys.flatMap(key => textsIn((args as Record<string, unknown>)[key]))

/** True where the argument of that name is the command line. Where there is none of the name, an analyser has read another. */
const isCommandKey = (key: string, { command, args }: Subject): boolean =>
  command && (key === 'command' || textAt(args, 'command') === undefined)

/**
 * The names of a call's place that a pattern is about. The absolute ones are for patterns that begin with the workspace's own path; for every
 * absolute pattern where the call names an absolute path, or leads out of the workspace.
 */
function placesFor({ beginning }: Pattern, { args, places }: Subject): readonly string[] {
  const [inside = ''] = places
  const rootOf = (place: string) => (place.endsWith(`/${inside}`) ? place.slice(0, -inside.length - 1) : place)
  const isOutside = inside.startsWith('../') || inside === '..' || isAbsolute(inside)
  const isFree = () => isOutside || pathsIn(args).some(isAbsolute)
  return places.filter(
    place => !isAbsolute(place) || (isAbsolute(beginning) && (beginning.startsWith(rootOf(place)) || isFree())),
  )
}

/** True where a pattern covers one text of a call. */
export function covers(pattern: Pattern, subject: Subject, text: string | undefined): boolean {
  const { name, args, places, ledTo } = subject
  if (!pattern.names(name)) return false
  if (pattern.bare) return true
  const { key } = pattern
  const coversPlace = () => placesFor(pattern, subject).some(pattern.fits)
  if (key === undefined || isCommandKey(key, subject))
    return text !== undefined && (text === ledTo ? coversPlace() : pattern.fits(text))
  const value = textAt(args, key)
  if (value === undefined || !pattern.fits(value)) return false
  return !places.length || !isPathKey(key, subject) || isNamed(value, places) || coversPlace()
}

/** True where a pattern that forbids matches the call: any text in the arguments may give the reason, a path or an address in plain too. */
export function forbids(pattern: Pattern, subject: Subject): boolean {
  const { name, args, everywhere, plain } = subject
  const { key } = pattern
  if (!pattern.names(name)) return false
  if (pattern.bare) return true
  const leadsThere = () => placesFor(pattern, subject).some(pattern.meansPlain)
  if (key === undefined) return everywhere.some(pattern.means) || plain.some(pattern.meansPlain) || leadsThere()
  if (isCommandKey(key, subject) && subject.commands.some(pattern.means)) return true
  const value = textAt(args, key)
  if (value === undefined) return key === 'path' && isWithoutPath(args, subject.places) && leadsThere()
  if (pattern.means(value)) return true
  const isPath = isPathKey(key, subject)
  return ((isPath || key === 'url') && plainForms(value).some(pattern.meansPlain)) || (isPath && leadsThere())
}

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
