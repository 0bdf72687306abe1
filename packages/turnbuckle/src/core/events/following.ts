import type { TreeNode } from '../history/tree.ts'
import type { Run } from '../turn/turn-state.ts'
import type { Thread } from './shared-conversation.ts'

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
