import { join, relative, resolve, sep } from 'node:path'
import { gitFolders } from './git-folders.ts'
import { realPlace } from './real-place.ts'

const fileTools: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search_files', 'write_file', 'edit_file'])
/** Tools that are about the whole workspace where no path is given. */
const folderTools: ReadonlySet<string> = new Set(['list_files', 'search_files'])

/**
 * Names the place that the path of a file tool leads to, for rules: `approval({ places: workspacePlaces({ root }) })`. In the
 * workspace, links followed; absolute, by the real path and by that of `root`; and as a path below `.git` where git's folder is a link,
 * or has another name.
 */
export function workspacePlaces({
  root,
}: {
  readonly root: string
}): (call: { readonly name: string; readonly args: unknown }) => readonly string[] {
  return ({ name, args }) => {
    const { path = folderTools.has(name) ? '.' : undefined } = (args ?? {}) as { readonly path?: unknown }
    if (typeof path !== 'string' || !fileTools.has(name)) return []
    const base = realPlace(resolve(root))
    const real = realPlace(resolve(base, path))
    const inGit = gitFolders(base)
      .filter(folder => `${real}${sep}`.startsWith(`${folder}${sep}`))
      .map(folder => join('.git', relative(folder, real)))
    const inside = relative(base, real)
    const names = [inside || '.', real, ...(climbs(inside) ? [] : [resolve(root, inside)]), ...inGit]
    return [...new Set(names.map(one => one.split(sep).join('/')))]
  }
}

const climbs = (path: string): boolean => path.split(sep)[0] === '..'
