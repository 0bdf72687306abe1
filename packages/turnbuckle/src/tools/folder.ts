import { constants, type Dirent, existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder that is held open: what `at` names lies in it, whatever is put in the place of its path meanwhile. */
export interface Folder {
  entries(): Promise<Dirent[]>
  at(name: string): string
  close(): Promise<void>
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
/** Linux names what a process holds open; elsewhere there is nothing but the path. */
const held = '/proc/self/fd'
const canHold = existsSync(held)

/** Goes down from `root`, part by part, and follows no link on the way. `make`: makes what is not there. */
export async function openFolder(root: string, parts: readonly string[], make: boolean): Promise<Folder> {
  if (!canHold) return byPath(join(root, ...parts), make)
  let handle = await open(root, flags)
  for (const part of parts) {
    const parent: FileHandle = handle
    try {
      const path = `${held}/${parent.fd}/${part}`
      if (make) await mkdir(path).catch(unlessThere)
      handle = await open(path, flags)
    } finally {
      await parent.close()
    }
  }
  return { ...named(`${held}/${handle.fd}`), close: () => handle.close() }
}

async function byPath(path: string, make: boolean): Promise<Folder> {
  if (make) await mkdir(path, { recursive: true })
  return { ...named(path), close: async () => {} }
}

const named = (path: string): Omit<Folder, 'close'> => ({
  entries: () => readdir(`${path}/`, { withFileTypes: true }),
  at: name => join(path, name),
})

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
