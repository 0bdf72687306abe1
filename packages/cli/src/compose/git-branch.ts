import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The git folder that a folder belongs to; a worktree has a file in its place that names it. */
function gitFolder(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, '.git')
    if (existsSync(path)) {
      if (statSync(path).isDirectory()) return path
      const named = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1]
      return named === undefined ? undefined : resolve(folder, named.trim())
    }
    if (folder === dirname(folder)) return undefined
  }
}

/** The branch of a folder, or the beginning of a commit; undefined outside git. Reads a file, runs no program. */
export function gitBranch(root: string): string | undefined {
  try {
    const folder = gitFolder(root)
    const head = folder === undefined ? '' : readFileSync(join(folder, 'HEAD'), 'utf8').trim()
    return head.startsWith('ref: ') ? head.replace(/^ref: (refs\/heads\/)?/, '') : head.slice(0, 8) || undefined
  } catch {
    return undefined
  }
}
