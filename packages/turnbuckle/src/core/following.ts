import type { Run } from './run.ts'
import type { Thread } from './thread.ts'
import type { TreeNode } from './tree.ts'

/** Turns that go on from where the conversation is, not from a place of their own. */
const followers = new WeakSet<Run>()

export const follow = (run: Run): void => void followers.add(run)

/** Another process has moved the conversation on: what has not begun here follows it. */
export function movedElsewhere(thread: Thread, head: TreeNode | undefined): void {
  thread.head = head
  if (thread.latest?.over) thread.latest = undefined
  for (const run of thread.running)
    if (run.early && followers.has(run)) {
      run.tip = run.origin = head
      run.branchState = head?.state ?? {}
    }
}
