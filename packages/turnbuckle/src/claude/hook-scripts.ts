import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { isRecord, type MatchedHandler } from './hook-handler.ts'

/** A file of the project that a hook runs, or that a file it runs names. */
export interface ScriptFile {
  /** Below the project's folder. */
  readonly path: string
  /** The file's text; Base64 where it is no text. */
  readonly text: string
}

/** The most files that are followed, and the bytes of each. */
const mostFiles = 500
const mostBytes = 2_000_000
const runners = /^(?:npm|npx|pnpm|yarn|bun)$/

/**
 * The project's files that hooks run: those that their commands name, the files that these name in turn, everything in a folder of `.claude` that
 * one of them lies in, and the `scripts` of package.json where a command is npm's. For a person to trust, and to compare before each run. Programs
 * outside of the project are not among them.
 */
export function hookScripts(handlers: readonly MatchedHandler[], root: string): readonly ScriptFile[] {
  const words = handlers.flatMap(({ handler }) =>
    handler.type === 'command' ? [handler.command, ...(handler.args ?? [])].flatMap(wordsOf) : [],
  )
  const found = new Map<string, string>()
  let next = words.map(word => resolve(root, word))
  while (next.length && found.size < mostFiles) {
    const fresh = [...new Set(next.flatMap(path => projectPath(root, path) ?? []))].filter(path => !found.has(path))
    for (const path of fresh) found.set(path, readText(join(root, path)))
    next = fresh.flatMap(path => namedBy(path, found.get(path) ?? '', root))
  }
  if (words.some(word => runners.test(word))) found.set('package.json scripts', packageScripts(root))
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, text]) => ({ path, text }))
}

/** Paths that a file's text names, from its folder or the project's, and all of its folder where that is in `.claude`. */
function namedBy(path: string, text: string, root: string): readonly string[] {
  const folder = join(root, dirname(path))
  const beside = path.startsWith(`.claude${sep}`) && dirname(path) !== '.claude' ? filesIn(folder) : []
  return [
    ...beside.map(name => join(folder, name)),
    ...wordsOf(text).flatMap(word => [resolve(folder, word), resolve(root, word)]),
  ]
}

/** Words that may be paths: `"$CLAUDE_PROJECT_DIR"/x.sh` is `./x.sh`. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/["']?\$\{?CLAUDE_PROJECT_DIR\}?["']?/g, '.')
    .split(/[\s"'`;|&()<>=,]+/)
    .filter(word => word !== '' && word !== '.' && word.length < 500)

/** The path below the project of a file in it, links followed. */
function projectPath(root: string, path: string): string | undefined {
  try {
    if (!existsSync(path)) return undefined
    const real = realpathSync(path)
    const stats = statSync(real)
    if (!stats.isFile() || stats.size > mostBytes) return undefined
    const inside = relative(realpathSync(root), real)
    return inside.startsWith('..') || inside.split(sep).includes('node_modules') ? undefined : inside
  } catch {
    return undefined
  }
}

const readText = (path: string): string => {
  const bytes = readFileSync(path)
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : bytes.toString('base64')
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}

function packageScripts(root: string): string {
  try {
    const value: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return JSON.stringify(isRecord(value) ? value.scripts : undefined, undefined, 2) ?? ''
  } catch {
    return ''
  }
}
