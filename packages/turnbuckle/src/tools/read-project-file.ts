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
    return await readText(workspace(root), path, maxBytes)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const isMissing = (error: unknown): boolean =>
  ((error as { readonly cause?: { readonly code?: unknown } }).cause?.code ?? '') === 'ENOENT'
