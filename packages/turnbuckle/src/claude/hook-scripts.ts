import { dirname, join, relative, resolve, sep } from 'node:path'
import { buildFilesOf, isBuildFile, isPackageManager } from './build-files.ts'
import type { MatchedHandler } from './hook-handler.ts'
import {
  begunFolders,
  computesLoads,
  interpretedPaths,
  namedModules,
  namesSubpath,
  searchedFolders,
} from './named-modules.ts'
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
    const scripts = texts.flatMap(text => scriptsFor(text, root, files, found)).filter(one => !followed.has(keyOf(one)))
    for (const one of scripts) followed.add(keyOf(one))
    const named = texts.flatMap(text => insideBy(text, root, files)).filter(({ path }) => !found.has(path))
    const run = new Set(named.filter(({ isRun }) => isRun).map(({ path }) => path))
    const paths = [...new Set(named.map(({ path }) => path))]
    texts = [...paths.map(path => addFile({ path, isRun: run.has(path) }, root, files, found)), ...scripts]
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

const keyOf = ({ folder, text }: Naming): string => `${folder}\0${text}`

/** The scripts of package.json that commands have a package manager run, of the project or a folder that they name. All scripts of it are compared. */
function scriptsFor(
  naming: Naming,
  root: string,
  files: ProjectFiles,
  found: Map<string, ScriptFile>,
): readonly Naming[] {
  const words = naming.kind === 'commands' ? wordsOf(naming.text) : []
  const own = naming.folder === root ? [root] : [naming.folder, root]
  const packages = words.map(word => resolve(root, 'node_modules', word))
  const folders = [...own, ...namedFolders(words, own, files), ...packages.filter(path => files.isFolder(path))]
  return [...new Set(folders)].flatMap(folder => {
    const inside = folder === root ? 'package.json' : files.inside(join(folder, 'package.json'))
    if (inside === undefined) return []
    const path = `${inside} scripts`
    const real = join(root, dirname(inside))
    if (words.some(isPackageManager)) found.set(path, { path, text: scriptsText(real) })
    return found.has(path) ? namedScripts(words, real).map(text => commandOf(text, real)) : []
  })
}

function namedBy(naming: Naming, root: string, files: ProjectFiles): readonly string[] {
  const { kind, path, text, folder } = naming
  const isInClaude = path?.startsWith(`.claude${sep}`) && dirname(path) !== '.claude'
  const beside = isInClaude ? files.allIn(folder) : []
  if (kind === 'data') return beside
  const computed = path !== undefined && computesLoads(text) ? [folder, ...begunIn(naming, root, files)] : []
  return [
    ...beside,
    ...computed.flatMap(one => files.codeIn(one)),
    ...(kind === 'code' ? byCode : byCommands)(naming, root, files),
  ]
}

/** Folders below the project's own that the paths of a text that computes names begin with. */
const begunIn = ({ text, folder }: Naming, root: string, files: ProjectFiles): readonly string[] =>
  begunFolders(text)
    .map(path => resolve(folder, path))
    .filter(path => files.isFolder(path) && relative(path, root) !== '')
    .slice(0, mostFolders)

/** Files that commands name: from their folder, the project's, or a folder that they name too (`cd x && ./y`). */
function byCommands({ text, folder }: Naming, root: string, files: ProjectFiles): readonly string[] {
  const words = wordsOf(text)
  const own = [...new Set([folder, root])]
  const bases = [...own, ...namedFolders(words, own, files)]
  const from = (names: readonly string[]) => names.flatMap(name => bases.map(base => resolve(base, name)))
  return [
    ...from([...words.flatMap(tailOf), ...words, ...words.flatMap(buildFilesOf)]).flatMap(path => files.exactly(path)),
    ...from([...words.filter(isRelative), ...namedModules(text)]).flatMap(path => files.asModule(path)),
    ...from(interpretedPaths(text)).flatMap(path => files.asProgram(path)),
    ...from(wholeFolders(text)).flatMap(path => files.filesIn(path)),
  ]
}

/** Folders that words of commands name: to go to, or to look for programs in (`PATH=./bin:$PATH`). */
const namedFolders = (words: readonly string[], bases: readonly string[], files: ProjectFiles): readonly string[] =>
  words
    .flatMap(word => word.split(':'))
    .flatMap(word => [word, ...tailOf(word)])
    .filter(word => word !== '')
    .flatMap(word => bases.map(base => resolve(base, word)))
    .filter(path => files.isFolder(path))
    .slice(0, mostFolders)

/** Folders whose files a loop or `run-parts` runs, one after the other. */
const wholeFolders = (text: string): readonly string[] =>
  [...text.matchAll(/\bfor\s+\w+\s+in\s+([^;\n]+)|\brun-parts\s+([^;&|\n]+)/g)].flatMap(([, loop, parts = '']) => {
    const words = wordsOf(loop ?? parts)
    const folders = loop === undefined ? words : words.filter(word => /\/\*+$/.test(word))
    return folders.map(word => word.replace(/\/\*+$/, '')).flatMap(word => [word, ...tailOf(word)])
  })

/** What code names: files by a path or with an end, for it may run them, and modules; from its own folder or the project's. No prose. */
function byCode({ text, folder }: Naming, root: string, files: ProjectFiles): readonly string[] {
  const words = wordsOf(text).filter(word => /[./]/.test(word) && !word.includes('*'))
  const own = [...new Set([folder, root])]
  const searched = namedFolders(searchedFolders(text), own, files)
  const from = (names: readonly string[], bases: readonly string[] = own) =>
    names.flatMap(name => bases.map(base => resolve(base, name)))
  const modules = [...words.flatMap(tailOf), ...words.filter(isRelative)]
  return [
    ...from(words)
      .filter(path => !isProse(path))
      .flatMap(path => files.exactly(path)),
    ...from(modules).flatMap(path => files.asModule(path)),
    ...from(namedModules(text), [...own, ...searched]).flatMap(path => files.asModule(path)),
    ...(namesSubpath(text) ? own.flatMap(base => files.entriesOf(base, 'imports')) : []),
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
