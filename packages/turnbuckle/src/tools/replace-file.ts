import { randomUUID } from 'node:crypto'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { TurnbuckleError } from '../core/base/errors.ts'
import { stripControls } from './control.ts'
import { diff } from './diff.ts'
import type { Folder } from './folder.ts'
import { readText } from './read-text.ts'
import type { Workspace } from './workspace.ts'

/**
 * Writes beside the file and moves it into place: nobody sees half of it, and a hard link's other name keeps its
 * content. Gives the diff.
 */
export async function replaceFile(
  space: Workspace,
  path: string,
  maxBytes: number,
  change: (before: string | undefined) => string,
): Promise<string> {
  const before = await currentText(space, path, maxBytes)
  const after = change(before)
  if (Buffer.byteLength(after) > maxBytes)
    throw new TurnbuckleError('file.large', `The content is over the limit of ${maxBytes} bytes.`)
  const real = await space.locate(path)
  const folder = await space.folderOf(path)
  try {
    await moveInto(folder, basename(real), after)
  } finally {
    await folder.close()
  }
  return summary(stripControls(space.name(real)), before, after)
}

/** The text of a file; undefined when it does not exist. */
export async function currentText(space: Workspace, path: string, maxBytes: number): Promise<string | undefined> {
  const real = await space.locate(path)
  const there = await lstat(real).catch(() => undefined)
  return there ? readText(space, path, maxBytes) : undefined
}

async function moveInto(folder: Folder, name: string, content: string): Promise<void> {
  const mode = await lstat(folder.at(name)).then(
    stats => stats.mode & 0o777,
    () => 0o644,
  )
  const draft = folder.at(`.${randomUUID()}.tmp`)
  const handle = await open(draft, 'wx', mode)
  try {
    await handle.writeFile(content)
    await handle.chmod(mode)
    await handle.close()
    await rename(draft, folder.at(name))
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
}

function summary(name: string, before: string | undefined, after: string): string {
  const changes = stripControls(diff(stripControls(before ?? ''), stripControls(after)))
  const verb = before === undefined ? 'Made' : before === after ? 'Left as it was:' : 'Changed'
  return changes ? `${verb} ${name}\n${changes}` : `${verb} ${name}`
}
