import { constants, type Dirent, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { TurnbuckleError } from '../core/base/errors.ts'
import { quoted } from './control.ts'
import { type Folder, openFolder } from './folder.ts'

/** The limits of the file tools. */
export interface FileOptions {
  /** Larger files are neither read nor written. 5 MB by default. */
  readonly maxBytes?: number
  /** The ripgrep program; found in PATH when absent, not used when `false`. */
  readonly ripgrep?: string | false
}

/** A folder that tools are confined to. Paths are judged after every link in them was followed. */
export interface Workspace {
  /** The real path of the workspace. */
  root(): Promise<string>
  /** The real path of something that may not exist yet. Throws `path.outside`. */
  locate(path: string): Promise<string>
  /** The real path of something that is there, and whether it is a folder. */
  existing(path: string): Promise<{ readonly real: string; readonly folder: boolean }>
  /** Opens a regular file for reading. */
  open(path: string): Promise<FileHandle>
  /** The folder that a file lies in, or is to lie in, held open; made where it is not there yet. */
  folderOf(path: string): Promise<Folder>
  /** The entries of a folder, by the folder's real path. */
  entries(real: string): Promise<Dirent[]>
  /** As it is shown: relative to the root. */
  name(real: string): string
}

export function workspace(root: string): Workspace {
  let canonical: Promise<string> | undefined
  const base = () => {
    canonical ??= realpath(root)
    return canonical
  }
  let known = resolve(root)
  const locate = async (path: string) => {
    known = await base()
    if (path.includes('\0')) throw new TurnbuckleError('path.invalid', 'A path has no null character.')
    const asked = resolve(known, path)
    partsOf(known, dirname(asked))
    const real = await follow(asked, path)
    if (real !== known && !real.startsWith(known.endsWith(sep) ? known : known + sep)) throw outside(path)
    return real
  }
  const folderAt = async (real: string, path: string, make: boolean) => {
    return openFolder(known, partsOf(known, real), make).catch(error => {
      throw moved.includes(error.code) ? outside(path) : unreadable(path, error)
    })
  }
  const folderOf = async (path: string, make: boolean) => {
    const real = await locate(path)
    if (real === known) throw new TurnbuckleError('path.file', `${quoted(path)} is not a file.`)
    return folderAt(dirname(real), path, make)
  }
  return {
    root: base,
    locate,
    async existing(path) {
      const real = await locate(path)
      return { real, folder: (await statsOf(real, path)).isDirectory() }
    },
    entries: real =>
      folderAt(real, relative(known, real), false).then(folder => folder.entries().finally(() => folder.close())),
    name: real => relative(known, real) || '.',
    folderOf: path => folderOf(path, true),
    async open(path) {
      const folder = await folderOf(path, false)
      const opening = locate(path).then(real => openFile(folder.at(basename(real)), path))
      const handle = await opening.finally(() => folder.close())
      return checked(handle, path, () => locate(path))
    },
  }
}

/** The file that was opened is still what the path leads to. */
async function checked(handle: FileHandle, path: string, locate: () => Promise<string>): Promise<FileHandle> {
  try {
    const [stats, again] = await Promise.all([handle.stat(), locate().then(found => lstat(found))])
    checkFile(path, stats, again)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

const statsOf = (real: string, path: string): Promise<Stats> =>
  lstat(real).catch(error => {
    throw unreadable(path, error)
  })

/** Follows no link at its end, and waits for nobody at the other end of a pipe. */
const openFile = (real: string, path: string): Promise<FileHandle> =>
  open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(error => {
    throw error.code === 'ELOOP' ? outside(path) : unreadable(path, error)
  })

/** Folders in a path: each is opened on the way to what is in it. */
const deepest = 100
function partsOf(root: string, folder: string): readonly string[] {
  const parts = relative(root, folder).split(sep).filter(Boolean)
  if (parts.length > deepest) throw new TurnbuckleError('path.deep', `No path has more than ${deepest} folders here.`)
  return parts
}

/** There is a link, or something that is not a folder, where a folder was a moment ago. */
const moved: readonly unknown[] = ['ELOOP', 'ENOTDIR']

/** The real path; of what does not exist yet, the real path of the nearest folder that does. A link to nowhere is refused. */
async function follow(path: string, asked: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw unreadable(asked, error)
  }
  const dangling = await lstat(path).then(
    () => true,
    () => false,
  )
  if (dangling) throw outside(asked)
  return join(await follow(dirname(path), asked), basename(path))
}

/** Throws where the opened file is not the one at the path now, so that a link put in between is found out. */
function checkFile(path: string, stats: Stats, again: Stats): void {
  if (stats.ino !== again.ino || stats.dev !== again.dev) throw outside(path)
  if (!stats.isFile()) throw new TurnbuckleError('path.file', `${quoted(path)} is not a file.`)
}

const outside = (path: string): TurnbuckleError =>
  new TurnbuckleError('path.outside', `${quoted(path)} lies outside the workspace, or leads out of it by a link.`)

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EISDIR: 'is a folder',
  ENOTDIR: 'leads through something that is not a folder',
  ELOOP: 'leads through links without end',
}

function unreadable(path: string, error: unknown): TurnbuckleError {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new TurnbuckleError('path.unreadable', `${quoted(path)} ${reasons[code] ?? `cannot be read: ${message}`}.`, {
    cause: error,
  })
}
