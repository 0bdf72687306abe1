import { release } from 'node:os'
import { gitBranch } from './git-branch.ts'

/**
 * Tells the model where it works: folder, system, date and git state. Part of the agent's own instructions and not of a
 * hook's: a replay of the turn on another day must not differ by it.
 */
export function environmentPrompt(root: string, now: number = Date.now()): string {
  const branch = gitBranch(root)
  return [
    `Folder: ${root}`,
    `System: ${process.platform} ${release()} (${process.arch})`,
    `Date: ${new Date(now).toISOString().slice(0, 10)}`,
    `Git: ${branch === undefined ? 'this folder is not in a repository' : `on branch ${branch}`}`,
  ].join('\n')
}
