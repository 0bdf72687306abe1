import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { isRecord } from './hook-handler.ts'

/** Bytes of a file whose text is shown and followed. Of a larger one there is the digest. */
const mostBytes = 2_000_000
/** Ends of the names of files that are code, in the order in which they are looked for. */
const ends = '.js .mjs .cjs .ts .mts .cts .jsx .tsx .json .node .py .rb .sh .bash .zsh .pl .pm .php .lua'.split(' ')
const none: ReadonlySet<string> = new Set()
/** What package managers and git put into a project. Hooks of git are a person's own. */
const brought = /(^|[\\/])(node_modules|\.git[\\/](?!hooks[\\/]))/

/** True for a file that is code by its name. */
export const isCode = (path: string): boolean =>
  ends.some(end => end !== '.json' && path.endsWith(end)) && !/\.(sh|bash|zsh)$/.test(path)

/** True for a page, a style, a picture or a log by its name: text that nobody runs, but that code writes or checks. */
export const isProse = (path: string): boolean =>
  /\.(md|mdx|txt|rst|adoc|html?|css|svg|png|jpe?g|gif|webp|ico|pdf|log|csv|snap)$/i.test(path)

/** Files that stand for their folder. */
const heads = [...ends.slice(0, 6).map(end => `index${end}`), '__init__.py', '__main__.py', 'package.json']

/** The files of a project, for one look at them: each folder is listed once. */
export class ProjectFiles {
  readonly #root: string
  readonly #realRoot: string
  readonly #folders = new Map<string, ReadonlySet<string>>()

  constructor(root: string) {
    this.#root = root
    this.#realRoot = realPath(root) ?? root
  }

  /** Names in a folder; none where there is no such folder in the project. A folder that the one above it has not is not looked for. */
  names(folder: string): ReadonlySet<string> {
    const known = this.#folders.get(folder)
    if (known) return known
    const isTop = folder === this.#root || folder === this.#realRoot
    const isThere = isTop || (this.#isBelow(folder) && this.names(dirname(folder)).has(basename(folder)))
    const names = isThere ? new Set(listed(folder)) : none
    this.#folders.set(folder, names)
    return names
  }
  #isBelow(folder: string): boolean {
    return [this.#root, this.#realRoot].some(root => folder.startsWith(root + sep))
  }
  isFolder(path: string): boolean {
    return path !== this.#root && this.names(path).size > 0
  }
  /** The path itself where it is there, or the paths that a star in its last name stands for: `checks/*.js`, and no star alone. */
  exactly(path: string): readonly string[] {
    const [folder, name] = [dirname(path), basename(path)]
    if (!name.includes('*')) return this.names(folder).has(name) ? [path] : []
    if (!/\w/.test(name)) return []
    const pattern = new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`)
    return [...this.names(folder)].filter(one => pattern.test(one)).map(one => join(folder, one))
  }
  /** As a program finds a module: with the end of its name left out, another one, or as a folder. */
  asModule(path: string): readonly string[] {
    return [...this.#named(path), ...(path === this.#root ? [] : this.#headsOf(path))]
  }
  /** As an interpreter finds what it is given: a module, or the head of any folder, the project's own too. */
  asProgram(path: string): readonly string[] {
    return [...this.#named(path), ...this.#headsOf(path)]
  }
  /** Files that a field of a folder's package.json names. */
  entriesOf(folder: string, field: 'main' | 'imports'): readonly string[] {
    if (!this.names(folder).has('package.json')) return []
    return entriesIn(join(folder, 'package.json'), field)
      .map(entry => resolve(folder, entry))
      .flatMap(path => [...this.exactly(path), ...this.#named(path), ...this.#ownHeads(path)])
  }
  #named(path: string): readonly string[] {
    const [folder, name] = [dirname(path), basename(path)]
    const names = this.names(folder)
    const stem = name.replace(/\.[cm]?js$/, '')
    const written = [name, ...ends.flatMap(end => [name + end, stem + end])].filter(one => names.has(one))
    return written.map(one => join(folder, one))
  }
  #headsOf(folder: string): readonly string[] {
    return [...this.#ownHeads(folder), ...this.entriesOf(folder, 'main')]
  }
  #ownHeads(folder: string): readonly string[] {
    return this.filesIn(folder).filter(path => heads.includes(basename(path)))
  }
  /** What a folder of the project has in it. */
  filesIn(folder: string): readonly string[] {
    return [...this.names(folder)].map(name => join(folder, name))
  }
  /** Code in a folder and below it; of the project's own folder, in that alone. */
  codeIn(folder: string): readonly string[] {
    const isOwn = resolve(folder) === resolve(this.#root)
    return listed(folder, !isOwn)
      .filter(name => ends.some(end => name.endsWith(end)))
      .map(name => join(folder, name))
  }

  allIn(folder: string): readonly string[] {
    return listed(folder, true).map(name => join(folder, name))
  }

  /** The path below the project of a file in it, links followed. What packages bring is not among them. */
  inside(path: string): string | undefined {
    const real = realPath(path)
    if (real === undefined || !statSync(real, { throwIfNoEntry: false })?.isFile()) return undefined
    const inside = relative(this.#realRoot, real)
    return inside.startsWith('..') || brought.test(inside) ? undefined : inside
  }
  /** The text of a file, Base64 where it is no text. */
  read(inside: string): { readonly text: string; readonly isLarge: boolean } {
    const bytes = readFileSync(join(this.#root, inside))
    if (bytes.length > mostBytes)
      return { text: `sha256 ${createHash('sha256').update(bytes).digest('hex')}`, isLarge: true }
    const text = bytes.toString('utf8')
    return { text: Buffer.from(text).equals(bytes) ? text : bytes.toString('base64'), isLarge: false }
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function listed(folder: string, recursive = false): readonly string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' })
  } catch {
    return []
  }
}

function entriesIn(path: string, field: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(value) ? textsIn(value[field]) : []
  } catch {
    return []
  }
}
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : isRecord(value) ? Object.values(value).flatMap(textsIn) : []
