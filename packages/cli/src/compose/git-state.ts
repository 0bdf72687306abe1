import { execFile } from 'node:child_process'
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

/** `on branch main, 3 files changed`; undefined outside git. A repository that answers late is described without files. */
export async function gitState(root: string): Promise<string | undefined> {
  const branch = gitBranch(root)
  if (branch === undefined) return undefined
  const changed = await changedFiles(root)
  const files =
    changed === undefined ? '' : changed ? `, ${changed} file${changed > 1 ? 's' : ''} changed` : ', nothing changed'
  return `on branch ${branch}${files}`
}

/** Optional locks are off: looking at a repository must not disturb a command that works in it. */
const changedFiles = (root: string): Promise<number | undefined> =>
  new Promise(done => {
    const args = ['--no-optional-locks', '-C', root, 'status', '--porcelain']
    execFile('git', args, { timeout: 2000, maxBuffer: 1 << 20 }, (error, out) =>
      done(error ? undefined : out.split('\n').filter(Boolean).length),
    )
  })
