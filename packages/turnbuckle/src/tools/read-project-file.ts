import { lstat } from 'node:fs/promises'
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
  try {
    // Most projects lack most of the files that are looked for in every turn: one look, before the walk along the path.
    await lstat(join(root, path))
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined
  }
  try {
    return await readText(workspace(root), path, maxBytes)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const isMissing = (error: unknown): boolean =>
  ((error as { readonly cause?: { readonly code?: unknown } }).cause?.code ?? '') === 'ENOENT'
