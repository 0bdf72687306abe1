import { lstatSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'

/** True where a name in the project is a link out of it, or a link to nothing: a file of this machine that the repository chose. */
export function leadsOutside(root: string, name: string): boolean {
  try {
    return !realpathSync(join(root, name)).startsWith(join(realpathSync(root), sep))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || isLink(join(root, name))
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
