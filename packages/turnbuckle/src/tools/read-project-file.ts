import { lstat } from 'node:fs'
import { join } from 'node:path'
import { readText } from './read-text.ts'
import { workspace } from './workspace.ts'

const maxBytes = 1_000_000

/**
 * The text of a file below `root`, or nothing where there is none. A link that leads out of the project is refused (`path.outside`): what
 * a repository names is not a way to other files of this machine.
 *
 * ```ts
 * agentsFile({ read: path => readProjectFile(root, path) })
 * ```
 */
export async function readProjectFile(root: string, path: string): Promise<string | undefined> {
  // Most projects lack most of the files that are looked for in every turn: one look, before the walk along the path.
  if (await isAbsent(join(root, path))) return undefined
  try {
    return await readText(workspace(root), path, maxBytes)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const looks = new Map<string, Promise<boolean>>()

/** Turns that ask in the same tick, of which a server has many, share a look, which begins after all of them have asked. */
function isAbsent(path: string): Promise<boolean> {
  let look = looks.get(path)
  if (!look) {
    look = new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      looks.delete(path)
      return lookFor(path)
    })
    looks.set(path, look)
  }
  return look
}
const lookFor = (path: string): Promise<boolean> =>
  new Promise(resolve => lstat(path, error => resolve(error?.code === 'ENOENT')))

const isMissing = (error: unknown): boolean =>
  ((error as { readonly cause?: { readonly code?: unknown } }).cause?.code ?? '') === 'ENOENT'
