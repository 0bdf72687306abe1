import { chmod, lstat, readlink, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { TurnbuckleError } from '../../core/base/errors.ts'
import type { ConfinedPaths, GuardedLink } from './confined-paths.ts'

/**
 * Takes away what no mount kept a command from: files that turn git to other settings, and links to settings that it has exchanged.
 * Throws when one stays, since the person's next git command would run what it names.
 */
export async function leaveGitAlone({ unwanted, links }: Pick<ConfinedPaths, 'unwanted' | 'links'>): Promise<void> {
  const left: string[] = []
  for (const path of unwanted) if (!(await succeeds(path, () => remove(path)))) left.push(path)
  for (const link of links) if (!(await succeeds(link.path, () => restore(link)))) left.push(link.path)
  if (left.length)
    throw new TurnbuckleError(
      'sandbox.left',
      `The command left settings of git that could not be undone: ${left.join(', ')}. What they name runs outside the sandbox with the next git command: look at them before you use git here.`,
    )
}

/** A command may have taken the rights to `.git` or to the workspace away, against which the owner gives them back. */
async function succeeds(path: string, work: () => Promise<void>): Promise<boolean> {
  const tried = () =>
    work().then(
      () => true,
      () => false,
    )
  if (await tried()) return true
  const git = dirname(path)
  // The entry `.git` itself lies in the workspace, and above that nothing was the command's to change.
  const folders = basename(path) === '.git' ? [git] : [dirname(git), git]
  for (const folder of folders) await giveBackRights(folder).catch(() => undefined)
  return tried()
}

const giveBackRights = async (folder: string): Promise<void> => chmod(folder, (await stat(folder)).mode | 0o700)

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

async function restore({ path, target, file }: GuardedLink): Promise<void> {
  const now = await lstat(path).then(
    stats => (stats.isSymbolicLink() ? readlink(path) : undefined),
    () => undefined,
  )
  if (now !== target) {
    await remove(path)
    await symlink(target, path)
  }
  const there = await stat(path, { bigint: true }).catch(() => undefined)
  if (there?.ino !== file?.ino || there?.dev !== file?.dev) throw new Error(`"${path}" leads to another file.`)
}
