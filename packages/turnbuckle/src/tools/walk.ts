import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import type { Workspace } from './workspace.ts'

export interface Found {
  readonly path: string
  readonly folder: boolean
}

/** Names after which others have their turn: what is done with each is done at once. */
const atOnce = 20

const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** Everything below a folder, names in order. Links are listed, never followed; version control and packages are left out. */
export async function* walk(
  space: Workspace,
  folder: string,
  signal: AbortSignal,
  depth: number = Infinity,
): AsyncGenerator<Found> {
  signal.throwIfAborted()
  const entries = await space.entries(folder)
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const [i, entry] of entries.entries()) {
    if (i % atOnce === atOnce - 1) {
      await pause()
      signal.throwIfAborted()
    }
    if (skipped.has(entry.name)) continue
    const path = join(folder, entry.name)
    yield { path, folder: entry.isDirectory() }
    // A folder that may not be read, or was removed meanwhile, has nothing in it.
    if (entry.isDirectory() && depth > 1) yield* quiet(walk(space, path, signal, depth - 1), signal)
  }
}

async function* quiet(found: AsyncGenerator<Found>, signal: AbortSignal): AsyncGenerator<Found> {
  try {
    yield* found
  } catch (error) {
    if (signal.aborted) throw error
  }
}
