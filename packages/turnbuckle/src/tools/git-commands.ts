import {
  hasBraces,
  type OptionSpec,
  pastOptions,
  refuseMadeOptions,
  Unknown,
  type Word,
  type Wrapped,
  wordOf,
} from './command-word.ts'

const globalOptions: OptionSpec = {
  flags: /^-(?!c$|-config-env|-exec-path|C$)/,
  values: /^(-C|--(git-dir|work-tree|namespace|attr-source|super-prefix|shallow-file))$/,
}

/** Options of a subcommand of git. It takes a long one shortened (`--exe`), and short ones in one word (`-ix`). */
interface Options {
  readonly long?: readonly string[]
  /** Letters. */
  readonly short?: string
  /** Arguments that are no options. */
  readonly words?: RegExp
}

/** By subcommand: arguments with which it runs what they say, or takes hooks or settings from elsewhere. */
const running: Readonly<Record<string, Options>> = {
  archive: { long: ['exec'] },
  bisect: { words: /^(run|visualize|view)$/ },
  clone: { long: ['upload-pack', 'config', 'template'], short: 'uc' },
  fetch: { long: ['upload-pack'] },
  'fetch-pack': { long: ['upload-pack', 'exec'] },
  grep: { long: ['open-files-in-pager'], short: 'O' },
  init: { long: ['template'] },
  'init-db': { long: ['template'] },
  'ls-remote': { long: ['upload-pack', 'exec'] },
  pull: { long: ['upload-pack'] },
  push: { long: ['receive-pack', 'exec'] },
  rebase: { long: ['exec'], short: 'x' },
  'send-pack': { long: ['receive-pack', 'exec'] },
  submodule: { words: /^foreach$/ },
}
/** Subcommands that run programs, whatever their arguments are. */
const runners: readonly string[] =
  `archimport bisect--helper cvsexportcommit cvsimport cvsserver daemon difftool difftool--helper filter-branch filter-repo for-each-repo gui hook
  instaweb merge-index mergetool p4 remote-ext send-email shell submodule--helper svn web--browse`.split(/\s+/)

/** Options of every subcommand that name a file or a folder to write: git itself takes `--output` wherever it takes revisions. */
const writing: readonly string[] = ['output', 'output-directory']
/** The same by subcommand. */
const alsoWriting: Readonly<Record<string, Options>> = {
  apply: { long: ['build-fake-ancestor'] },
  archive: { short: 'o' },
  bugreport: { short: 'o' },
  'checkout-index': { long: ['prefix'] },
  clone: { long: ['separate-git-dir'] },
  config: { long: ['file'], short: 'f' },
  'credential-store': { long: ['file'] },
  diagnose: { short: 'o' },
  'fast-export': { long: ['export-marks'] },
  'fast-import': { long: ['export-marks', 'export-pack-edges'] },
  'format-patch': { short: 'o' },
  'index-pack': { short: 'o' },
  init: { long: ['separate-git-dir'] },
  mailsplit: { short: 'o' },
  maintenance: { long: ['config-file'] },
  'read-tree': { long: ['index-output'] },
}

/** `git -C x push` is `git push`; a file that an option names is written. Throws where git would run what is on the line. */
export function gitCommands(words: readonly Word[]): Wrapped {
  const at = pastOptions(words, 1, globalOptions)
  const [subcommand, ...rest] = words.slice(at)
  if (subcommand) refuseRunning(subcommand, rest)
  return {
    same: at > 1 ? [[wordOf('git'), ...words.slice(at)]] : [],
    writes: subcommand ? filesWritten(subcommand, rest) : [],
  }
}

function refuseRunning({ text, dynamic }: Word, rest: readonly Word[]): void {
  // Braces are a part of their own.
  const mayBe = (name: string) => dynamic && !hasBraces(text) && name.startsWith(beforeSigns(text))
  // A path names a program of the project: `git x/y` runs git-x/y, and a strategy a/b git-merge-a/b.
  const isPath = text.includes('/') || (rest.some(isStrategy) && rest.some(word => word.text.includes('/')))
  if (isPath || runners.some(name => name === text || mayBe(name))) throw new Unknown()
  if (text === 'config' && setsProgram(rest)) throw new Unknown()
  const own = ownOf(running, text)
  if (own) refuseMadeOptions(rest, { files: false })
  // A subcommand that a shell makes may be any of them.
  const options = dynamic ? Object.values(running) : own ? [own] : []
  if (options.some(one => rest.some(word => isAmong(word.text, one)))) throw new Unknown()
}

const isStrategy = ({ text }: Word): boolean => /^(-\w*s|--str)/.test(text)

const ownOf = (table: Readonly<Record<string, Options>>, subcommand: string): Options | undefined =>
  Object.hasOwn(table, subcommand) ? table[subcommand] : undefined

/** The part of a word in which a shell changes nothing. */
const beforeSigns = (text: string): string => text.split(/[$`*?[{~]/, 1)[0] ?? ''

function isAmong(text: string, { long = [], short = '', words }: Options): boolean {
  if (text.startsWith('--')) return isLong(text, long)
  if (text.startsWith('-')) return [...short].some(letter => text.includes(letter))
  return words?.test(text) ?? false
}

/** True for an option that is one of these, or is one of these shortened: where that is not the only one, git refuses it. */
function isLong(text: string, names: readonly string[]): boolean {
  const [name = ''] = text.slice(2).split('=', 1)
  return name !== '' && names.some(one => one.startsWith(name))
}

/** Settings name programs (`alias.x`, `core.pager`), so that setting one may run anything later. To look at them, or to say who one is, runs nothing. */
function setsProgram(rest: readonly Word[]): boolean {
  if (/^(--get(-.*)?|-l|--list|get|list)$/.test(rest[0]?.text ?? '')) return false
  const given = rest.filter(({ text }) => !text.startsWith('-'))
  if (rest.some(({ text }) => /^(-e|--ed?i?t?)$/.test(text))) return true
  return given.length > 1 && !/^user\.(name|email)$/.test(given[0]?.text ?? '')
}

function filesWritten(subcommand: Word, rest: readonly Word[]): string[] {
  const own = subcommand.dynamic ? Object.values(alsoWriting) : [ownOf(alsoWriting, subcommand.text) ?? {}]
  const long = [...writing, ...own.flatMap(one => one.long ?? [])]
  const short = own.flatMap(one => [...(one.short ?? '')])
  return rest.flatMap(({ text, dynamic }, i) => {
    const next = rest[i + 1]?.text
    const value = text.startsWith('--') ? longValue(text, long, next) : shortValue(text, short, next)
    if (value !== undefined) return [value]
    if (dynamic && mayBeLong(text, long)) throw new Unknown()
    return []
  })
}

function longValue(text: string, names: readonly string[], next: string | undefined): string | undefined {
  if (!isLong(text, names)) return undefined
  const equals = text.indexOf('=')
  return equals < 0 ? next : text.slice(equals + 1)
}

/** The value of the first of these letters: behind it in the word, or the next word. */
function shortValue(text: string, letters: readonly string[], next: string | undefined): string | undefined {
  const at = text.startsWith('-') ? letters.map(letter => text.indexOf(letter)).find(place => place > 0) : undefined
  return at === undefined ? undefined : text.slice(at + 1) || next
}

/** True where a shell may make one of these options of a word: `--outp*`. */
function mayBeLong(text: string, names: readonly string[]): boolean {
  const fixed = beforeSigns(text)
  return fixed.startsWith('-') && names.some(name => `--${name}`.startsWith(fixed))
}
