import { lstat, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The paths that differ for a confined command. Real paths of things that are there, but for `hidden`. */
export interface ConfinedPaths {
  /** Folders that it may write in. */
  readonly writable: readonly string[]
  /** Within those, files and folders that it may not change. */
  readonly readOnly: readonly string[]
  /** Folders that it sees empty. */
  readonly hidden: readonly string[]
  /** Files that it sees empty: those to hide, and sockets of programs outside. */
  readonly blocked: readonly string[]
}

interface Wanted {
  readonly root: string
  readonly write: readonly string[]
  readonly hide: readonly string[]
}

/**
 * The paths of a command in a workspace. Git's hooks and settings are read-only: what is written there runs outside, with the
 * person's next git command. `.git` is a mount of its own, so that it cannot be moved away and a copy of it put there.
 */
export async function confinedPaths({ root, write, hide }: Wanted): Promise<ConfinedPaths> {
  const git = await whatIs(join(root, '.git'))
  const gitFolder = git === 'folder' ? [join(root, '.git')] : []
  const guarded = [join(root, '.turnbuckle'), ...gitFolder.flatMap(path => [join(path, 'hooks'), join(path, 'config')])]
  const kinds = await Promise.all(guarded.map(whatIs))
  const hooks = gitFolder.map(path => join(path, 'hooks'))
  const concealed = await realPaths(hide)
  const concealedKinds = await Promise.all(concealed.map(whatIs))
  return {
    writable: [root, ...gitFolder, ...(await realPaths(write.map(expandHome)))],
    readOnly: guarded.filter((_path, i) => kinds[i] !== undefined),
    hidden: [
      ...concealed.filter((_path, i) => concealedKinds[i] === 'folder'),
      // Hooks that are not there yet: what the command makes there is gone with it.
      ...hooks.filter(path => kinds[guarded.indexOf(path)] === undefined),
    ],
    blocked: concealed.filter((_path, i) => concealedKinds[i] === 'file'),
  }
}

/** `~/x` is in the home folder of whoever runs the program. */
const expandHome = (path: string): string => (/^~(\/|$)/.test(path) ? join(homedir(), path.slice(1)) : resolve(path))

/** Without those that are not there. */
const realPaths = async (paths: readonly string[]): Promise<string[]> =>
  (await Promise.all(paths.map(path => realpath(path).catch(() => undefined)))).filter(path => path !== undefined)

/** A link counts as a file: what it leads to is judged where it really is. */
const whatIs = (path: string): Promise<'folder' | 'file' | undefined> =>
  lstat(path).then(
    stats => (stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : undefined),
    () => undefined,
  )

/** True where the path is there, links followed. */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
