import { release } from 'node:os'
import { formatDay } from '../text/format-time.ts'

interface Known {
  /** As `gitBranch` gives it. */
  readonly branch: string | undefined
  /** Milliseconds since the epoch. */
  readonly now?: number
  /** Files that are not as they were committed, where that is known. */
  readonly changes?: number | undefined
}

/**
 * Tells the model where it works: folder, system, date and git state. Part of the agent's own instructions and not of a
 * hook's: a replay of the turn on another day must not differ by it.
 */
export function environmentPrompt(root: string, { branch, now = Date.now(), changes }: Known): string {
  return [
    `Folder: ${root}`,
    `System: ${process.platform} ${release()} (${process.arch})`,
    `Date: ${formatDay(now)}`,
    `Git: ${branch === undefined ? 'this folder is not in a repository' : `on branch ${branch}${changesText(changes)}`}`,
  ].join('\n')
}

function changesText(changes: number | undefined): string {
  if (changes === undefined) return ''
  return changes === 0
    ? ', nothing changed since the last commit'
    : `, ${changes} changed ${changes === 1 ? 'file' : 'files'}`
}
