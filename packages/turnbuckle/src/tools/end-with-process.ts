import type { ChildProcess } from 'node:child_process'

/** Programs in process groups of their own, which get no signal of this process's terminal. */
const groups = new Set<ChildProcess>()

/** Ends every group that is left. */
export const endGroups = (): void => {
  for (const child of groups) endGroup(child)
}

/** Ends a program's group when this process exits. Gives a function for a program that has ended before. */
export function endWithProcess(child: ChildProcess): () => void {
  if (!groups.size) process.once('exit', endGroups)
  groups.add(child)
  return () => {
    groups.delete(child)
    if (!groups.size) process.off('exit', endGroups)
  }
}

/** A kill, which is the default, cannot be caught: what ignores signals ends too. */
export function endGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone already.
  }
}
