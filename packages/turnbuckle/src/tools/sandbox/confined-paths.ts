import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, resolve, sep } from 'node:path'
import { gitFolders } from '../git-folders.ts'

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
  /** Files that are not there, and that it may not leave behind. */
  readonly unwanted: readonly string[]
  /** Links to settings of git: a mount guards the file that one leads to, and not the link. */
  readonly links: readonly GuardedLink[]
}

/** A link that is to lead to the same file when the command has ended. */
export interface GuardedLink {
  readonly path: string
  readonly target: string
  /** Undefined where it leads to nothing. */
  readonly file: { readonly dev: bigint; readonly ino: bigint } | undefined
}

interface Wanted {
  readonly root: string
  readonly write: readonly string[]
  readonly hide: readonly string[]
}

/**
 * The paths of a command in a workspace. Git's hooks and settings are read-only: what is written there runs outside, with the
 * person's next git command. Its folder is a mount of its own, so that it cannot be moved away and a copy of it put there; a file `.git`
 * names the folder of a worktree, and a file `commondir` in the folder another one with hooks and settings. The same holds for
 * repositories of the other folders that it may write in.
 */
export async function confinedPaths({ root, write, hide }: Wanted): Promise<ConfinedPaths> {
  const folders = [root, ...(await realPaths(write.map(expandHome)))]
  const git = gitPlaces(folders)
  const guarded = [join(root, '.turnbuckle'), ...git.entries, ...git.hooks, ...git.settings]
  const kinds = await Promise.all(guarded.map(whatIs))
  const those = (...wanted: readonly Kind[]) => guarded.filter((_path, i) => wanted.includes(kinds[i]))
  const [absent, linked] = [those(undefined), those('link')]
  const concealed = await realPaths(hide)
  const concealedKinds = await Promise.all(concealed.map(whatIs))
  return {
    writable: [...new Set([...folders, ...git.folders])],
    // The entry `.git` as a folder is one of the writable.
    readOnly: [...those('file', 'folder').filter(path => !git.folders.includes(path)), ...(await linkedFiles(linked))],
    hidden: [
      ...concealed.filter((_path, i) => concealedKinds[i] === 'folder'),
      // Hooks that are not there yet: what the command makes there is gone with it.
      ...git.hooks.filter(path => absent.includes(path)),
    ],
    blocked: concealed.filter((_path, i) => concealedKinds[i] === 'file'),
    unwanted: git.settings.filter(path => absent.includes(path)),
    links: await Promise.all(linked.map(guardedLink)),
  }
}

interface GitPlaces {
  /** What stands for git in the folders: `.git`. */
  readonly entries: readonly string[]
  /** Git's own folders, where a command could write. */
  readonly folders: readonly string[]
  readonly hooks: readonly string[]
  readonly settings: readonly string[]
}

function gitPlaces(writable: readonly string[]): GitPlaces {
  const isWithin = (path: string) => writable.some(folder => `${path}${sep}`.startsWith(`${folder}${sep}`))
  const folders = [...new Set(writable.flatMap(gitFolders))].filter(isWithin)
  const inEach = (...names: readonly string[]) => folders.flatMap(path => names.map(name => join(path, name)))
  return {
    entries: writable.map(folder => join(folder, '.git')),
    folders,
    hooks: inEach('hooks'),
    settings: inEach('config', 'config.worktree', 'commondir'),
  }
}

/** What links lead to. A folder of git's that `.git` leads to is guarded by its parts; a file there is to name no other folder. */
async function linkedFiles(links: readonly string[]): Promise<string[]> {
  const found = links.map(async path => {
    const [real] = await realPaths([path])
    const isGitFolder = basename(path) === '.git' && real !== undefined && (await whatIs(real)) === 'folder'
    return real === undefined || isGitFolder ? [] : [real]
  })
  return (await Promise.all(found)).flat()
}

/** `~/x` is in the home folder of whoever runs the program. */
const expandHome = (path: string): string => (/^~(\/|$)/.test(path) ? join(homedir(), path.slice(1)) : resolve(path))

/** Without those that are not there. */
const realPaths = async (paths: readonly string[]): Promise<string[]> =>
  (await Promise.all(paths.map(path => realpath(path).catch(() => undefined)))).filter(path => path !== undefined)

async function guardedLink(path: string): Promise<GuardedLink> {
  const file = await stat(path, { bigint: true }).catch(() => undefined)
  return { path, target: await readlink(path), file: file && { dev: file.dev, ino: file.ino } }
}

type Kind = 'folder' | 'file' | 'link' | undefined

const whatIs = (path: string): Promise<Kind> =>
  lstat(path).then(
    stats => (stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : undefined),
    () => undefined,
  )

/** True where the path is there, links followed. */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
