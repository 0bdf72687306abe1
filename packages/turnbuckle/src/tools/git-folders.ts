import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { realPlace } from './real-place.ts'

/**
 * The folders that git reads hooks and settings from in a working folder, by their real paths: `.git`, also as a link; the one that
 * a file `.git` names, in a worktree or a submodule; and the repository that it shares them with.
 */
export function gitFolders(folder: string): readonly string[] {
  const git = realPlace(join(folder, '.git'))
  const named = isFolder(git) ? git : pathIn(git, /^gitdir: *(.+)/)
  if (named === undefined || !isFolder(named)) return []
  const shared = pathIn(join(named, 'commondir'), /^(.+)/)
  const all = shared !== undefined && isFolder(shared) ? [...new Set([named, shared])] : [named]
  // A file that leads to the working folder itself, or above it, is not git's.
  return all.filter(one => !`${realPlace(folder)}${sep}`.startsWith(`${one}${sep}`))
}

/** Bytes of a file that names a path. */
const longest = 10_000

/** The real path that a file of git names, relative to its folder. A pipe in its place is not waited for. */
function pathIn(file: string, form: RegExp): string | undefined {
  try {
    const stats = statSync(file)
    if (!stats.isFile() || stats.size > longest) return undefined
    const path = form.exec(readFileSync(file, 'utf8'))?.[1]
    return path === undefined ? undefined : realPlace(resolve(dirname(file), path.trimEnd()))
  } catch {
    return undefined
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
