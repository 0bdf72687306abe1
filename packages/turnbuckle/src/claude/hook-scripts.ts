import { dirname, join, resolve, sep } from 'node:path'
import { buildFilesOf, isBuildFile, isPackageManager } from './build-files.ts'
import type { MatchedHandler } from './hook-handler.ts'
import { computesLoads, namedModules } from './named-modules.ts'
import { namedScripts, scriptsText } from './package-scripts.ts'
import { isCode, isProse, ProjectFiles } from './project-files.ts'

/** A file of the project that a hook runs, or that a file it runs names. */
export interface ScriptFile {
  /** Below the project's folder. */
  readonly path: string
  /** The file's text; Base64 where it is no text, a digest where it is very long. */
  readonly text: string
  /** It loads files by names that it computes: of these only what lies in its folder is among the files. */
  readonly computes?: true
  /** Stands for files past the most that are followed: what they are is not known, so no trust covers them. */
  readonly beyond?: true
}

/** The most files that are followed. */
const mostFiles = 500
/** The most folders that one text names, from which its other words are looked for. */
const mostFolders = 20
const scriptsEntry = 'package.json scripts'

/** A text that may name files: of commands, for a shell or a build tool; of code, which loads modules; or of anything else, which is not followed. */
interface Naming {
  readonly kind: 'commands' | 'code' | 'data'
  readonly text: string
  /** The folder that names in it begin at, beside the project's own. */
  readonly folder: string
  /** The file it is in; missing for a hook's command. */
  readonly path?: string
  /** True where what it names is run as commands, whatever that is called: `bash docs/run.md`. */
  readonly runs?: boolean
}

/**
 * The project's files that hooks run: those that their commands name, the files that these name or load in turn, everything in a folder of `.claude`
 * that one of them lies in, what build tools and package managers take their commands from, and beside a script that computes names the code in
 * its folder. For a person to trust, and to compare before each run. Programs outside of the project and what lies in node_modules are not among them.
 */
export function hookScripts(handlers: readonly MatchedHandler[], root: string): readonly ScriptFile[] {
  const files = new ProjectFiles(root)
  const found = new Map<string, ScriptFile>()
  const followed = new Set<string>()
  let texts: readonly Naming[] = handlers.flatMap(({ handler }) =>
    handler.type === 'command' ? [commandOf([handler.command, ...(handler.args ?? [])].join(' '), root)] : [],
  )
  while (texts.length && found.size <= mostFiles) {
    const scripts = texts.flatMap(text => scriptsFor(text, root, found)).filter(text => !followed.has(text))
    for (const text of scripts) followed.add(text)
    const named = texts.flatMap(text => insideBy(text, root, files)).filter(({ path }) => !found.has(path))
    const run = new Set(named.filter(({ isRun }) => isRun).map(({ path }) => path))
    const paths = [...new Set(named.map(({ path }) => path))]
    texts = [
      ...paths.map(path => addFile({ path, isRun: run.has(path) }, root, files, found)),
      ...scripts.map(text => commandOf(text, root)),
    ]
  }
  const all = [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
  return found.size > mostFiles ? [...all.slice(0, mostFiles), beyond] : all
}

const beyond: ScriptFile = {
  path: `more than ${mostFiles} files`,
  text: 'These hooks do not run: nobody could tell which files they are trusted with.',
  beyond: true,
}

/** A command that prints files and does nothing else: what they speak of is not run. */
const isPrinting = (command: string): boolean => /^\s*(cat|head|tail|wc|grep|jq)\s[^;&|`()<>\n]*$/.test(command)

/** A hook's command, or a script of package.json. */
const commandOf = (text: string, folder: string): Naming => ({
  kind: 'commands',
  text,
  folder,
  runs: !isPrinting(text),
})

interface NamedFile {
  /** Below the project's folder. */
  readonly path: string
  readonly isRun: boolean
}

const insideBy = (naming: Naming, root: string, files: ProjectFiles): readonly NamedFile[] =>
  namedBy(naming, root, files).flatMap(path => {
    const inside = files.inside(path)
    return inside === undefined ? [] : [{ path: inside, isRun: naming.runs ?? false }]
  })

function addFile(
  { path, isRun }: NamedFile,
  root: string,
  files: ProjectFiles,
  found: Map<string, ScriptFile>,
): Naming {
  const { text, isLarge } = files.read(path)
  const own = isLarge ? 'data' : kindOf(path, text)
  const kind = own === 'data' && isRun && !isLarge ? 'commands' : own
  found.set(path, { path, text, ...(kind !== 'data' && computesLoads(text) ? { computes: true } : {}) })
  return { kind, text, folder: join(root, dirname(path)), path }
}

function kindOf(path: string, text: string): Naming['kind'] {
  if (isCode(path)) return 'code'
  const isShell = /\.(sh|bash|zsh|mk)$/.test(path) || /^#!.*\b(sh|bash|zsh|dash|make)\b/.test(text)
  if (isShell || isBuildFile(path)) return 'commands'
  if (text.startsWith('#!')) return 'code'
  return /(^|\/)[^./]+$/.test(path) ? 'commands' : 'data'
}

/** The scripts of package.json that commands have a package manager run. All of them are compared. */
function scriptsFor({ kind, text }: Naming, root: string, found: Map<string, ScriptFile>): readonly string[] {
  const words = kind === 'commands' ? wordsOf(text) : []
  if (words.some(isPackageManager)) found.set(scriptsEntry, { path: scriptsEntry, text: scriptsText(root) })
  return found.has(scriptsEntry) ? namedScripts(words, root) : []
}

function namedBy(naming: Naming, root: string, files: ProjectFiles): readonly string[] {
  const { kind, path, text, folder } = naming
  const isInClaude = path?.startsWith(`.claude${sep}`) && dirname(path) !== '.claude'
  const beside = isInClaude ? files.allIn(folder) : []
  if (kind === 'data') return beside
  const computed = path !== undefined && computesLoads(text) ? files.codeIn(folder) : []
  return [...beside, ...computed, ...(kind === 'code' ? byCode : byCommands)(naming, root, files)]
}

/** Files that commands name: from their folder, the project's, or a folder that they name too (`cd x && ./y`). */
function byCommands({ text, folder }: Naming, root: string, files: ProjectFiles): readonly string[] {
  const words = wordsOf(text)
  const own = [...new Set([folder, root])]
  const named = words.flatMap(word => own.map(base => resolve(base, word))).filter(path => files.isFolder(path))
  const bases = [...own, ...named.slice(0, mostFolders)]
  const from = (names: readonly string[]) => names.flatMap(name => bases.map(base => resolve(base, name)))
  return [
    ...from([...words.flatMap(tailOf), ...words, ...words.flatMap(buildFilesOf)]).flatMap(path => files.exactly(path)),
    ...from([...words.filter(isRelative), ...namedModules(text)]).flatMap(path => files.asModule(path)),
  ]
}

/** What code names: files by a path or with an end, for it may run them, and modules; from its own folder or the project's. No prose. */
function byCode({ text, folder }: Naming, root: string, files: ProjectFiles): readonly string[] {
  const words = wordsOf(text).filter(word => /[./]/.test(word) && !word.includes('*'))
  const from = (names: readonly string[]) =>
    names.flatMap(name => [...new Set([folder, root])].map(base => resolve(base, name)))
  const modules = [...words.flatMap(tailOf), ...words.filter(isRelative), ...namedModules(text)]
  return [
    ...from(words)
      .filter(path => !isProse(path))
      .flatMap(path => files.exactly(path)),
    ...from(modules).flatMap(path => files.asModule(path)),
  ]
}

const isRelative = (word: string): boolean => /^\.\.?\//.test(word)

/** Words that may be paths: `"$CLAUDE_PROJECT_DIR"/x.sh` is `./x.sh`. */
const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .replace(/["']?\$\{?CLAUDE_PROJECT_DIR\}?["']?/g, '.')
      .split(/[\s"'`;|&()<>=,]+/)
      .filter(word => word !== '' && word !== '.' && word.length < 500),
  ),
]

/** What stands behind a folder that only the script knows: `$DIR/lib.sh`, and `/util` of `__dirname + '/util'`. */
function tailOf(word: string): readonly string[] {
  const tail = /^(?:\$\w+|\$\{[^}]*\})?\/+(.+)$/.exec(word)?.[1]
  return tail === undefined ? [] : [tail]
}
