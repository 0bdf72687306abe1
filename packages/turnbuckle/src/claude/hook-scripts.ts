import { readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { buildFilesOf, isPackageManager } from './build-files.ts'
import { isRecord, type MatchedHandler } from './hook-handler.ts'
import { computesLoads, namedModules } from './named-modules.ts'
import { ProjectFiles } from './project-files.ts'

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
const scriptsEntry = 'package.json scripts'

/** A text that may name files. */
interface Naming {
  readonly text: string
  /** The folder that names in it begin at, beside the project's own. */
  readonly folder: string
  /** The file it is in; missing for a hook's command. */
  readonly path?: string
}

/**
 * The project's files that hooks run: those that their commands name, the files that these name or load in turn, everything in a folder of `.claude`
 * that one of them lies in, what build tools and package managers take their commands from, and beside a script that computes names the code in
 * its folder. For a person to trust, and to compare before each run. Programs outside of the project and what lies in node_modules are not among them.
 */
export function hookScripts(handlers: readonly MatchedHandler[], root: string): readonly ScriptFile[] {
  const files = new ProjectFiles(root)
  const found = new Map<string, ScriptFile>()
  let texts: readonly Naming[] = handlers.flatMap(({ handler }) =>
    handler.type === 'command' ? [handler.command, ...(handler.args ?? [])].map(text => ({ text, folder: root })) : [],
  )
  while (texts.length && found.size <= mostFiles) {
    const scripts = texts.some(({ text }) => wordsOf(text).some(isPackageManager)) ? packageScripts(root) : []
    const inside = texts.flatMap(text => namedBy(text, root, files)).map(path => files.inside(path))
    const paths = [...new Set(inside)].filter(path => path !== undefined && !found.has(path)) as string[]
    const next: Naming[] = paths.map(path => addFile(path, root, files, found))
    for (const text of scripts) if (!found.has(scriptsEntry)) next.push(addScripts(text, root, found))
    texts = next
  }
  const all = [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
  return found.size > mostFiles ? [...all.slice(0, mostFiles), beyond] : all
}

const beyond: ScriptFile = {
  path: `more than ${mostFiles} files`,
  text: 'These hooks do not run: nobody could tell which files they are trusted with.',
  beyond: true,
}

function addFile(path: string, root: string, files: ProjectFiles, found: Map<string, ScriptFile>): Naming {
  const { text, isLarge } = files.read(path)
  found.set(path, { path, text, ...(computesLoads(text) ? { computes: true } : {}) })
  return { text: isLarge ? '' : text, folder: join(root, dirname(path)), path }
}
function addScripts(text: string, root: string, found: Map<string, ScriptFile>): Naming {
  found.set(scriptsEntry, { path: scriptsEntry, text })
  return { text, folder: root }
}

/** Paths that a text may name: from its folder, the project's, or a folder that the text names too (`cd x && ./y`). */
function namedBy({ text, folder, path }: Naming, root: string, files: ProjectFiles): readonly string[] {
  const words = wordsOf(text)
  const own = [...new Set([folder, root])]
  const named = words.flatMap(word => own.map(base => resolve(base, word)))
  const bases = [...own, ...named.filter(one => one !== sep && files.isFolder(one)).slice(0, 50)]
  const from = (names: readonly string[]) => names.flatMap(name => bases.map(base => resolve(base, name)))
  const modules = [...words.flatMap(tailOf), ...words.filter(word => /^\.\.?\//.test(word)), ...namedModules(text)]
  return [
    ...from([...words, ...words.flatMap(buildFilesOf)]).flatMap(one => files.exactly(one)),
    ...from(modules).flatMap(one => files.asModule(one)),
    ...(path === undefined ? [] : beside(path, text, folder, files)),
  ]
}

/** All of a file's folder where that is in `.claude`; code of its folder where the file computes what it loads. */
function beside(path: string, text: string, folder: string, files: ProjectFiles): readonly string[] {
  if (path.startsWith(`.claude${sep}`) && dirname(path) !== '.claude') return files.allIn(folder)
  return computesLoads(text) ? files.codeIn(folder) : []
}

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

/** The scripts that package.json has, as a text: one, or none. */
function packageScripts(root: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return [JSON.stringify(isRecord(value) ? value.scripts : undefined, undefined, 2) ?? '']
  } catch {
    return ['']
  }
}
