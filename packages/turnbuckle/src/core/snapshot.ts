import { demand, TurnbuckleError } from './errors.ts'
import type { Snapshot } from './flow.ts'
import type { Run } from './run.ts'
import { settleCallsNow } from './settle.ts'
import type { BranchState, TreeNode } from './tree.ts'

/** The history is shared and never changed, so a snapshot is a few references, whatever its length. */
interface Taken extends Snapshot {
  readonly tip: TreeNode | undefined
  readonly branchState: BranchState
  readonly shared: ReadonlyMap<string, unknown> | undefined
  readonly instructions: Run['instructions']
}

export const takeSnapshot = (run: Run): Snapshot =>
  Object.freeze<Taken>({
    kind: 'snapshot',
    tip: run.tip,
    branchState: run.branchState,
    shared: run.shared && new Map(run.shared),
    instructions: [...run.instructions],
  })

/** A snapshot, if it is one of this conversation. */
export function takenHere(run: Run, snapshot: Snapshot): Taken {
  const taken = snapshot as Taken | null
  const here = taken?.kind === 'snapshot' && (!taken.tip || run.thread.tree.find(taken.tip.id) === taken.tip)
  demand(here, 'snapshot.foreign', 'That is no snapshot of this conversation: take one with ctx.snapshot().')
  return taken as Taken
}

/** Turn-scoped and conversation-scoped state, usage and step counts stay: they only grow. */
export function restore(run: Run, snapshot: Snapshot): void {
  const taken = takenHere(run, snapshot)
  if (run.over) throw new TurnbuckleError('turn.ended', 'The turn is over: its history is settled.')
  if (run.openCalls.length && taken.tip !== run.tip)
    throw new TurnbuckleError(
      'history.orphan',
      'Calls are still open here. Return rewind(snapshot) instead: it settles them first.',
    )
  if (taken.tip !== run.tip) {
    moveTip(run, taken.tip)
    settleCallsNow(run)
  }
  run.branchState = taken.branchState
  run.shared = taken.shared && new Map(taken.shared)
  run.instructions = [...taken.instructions]
}

export function moveTip(run: Run, to: TreeNode | undefined): void {
  if (run.tip === to) return
  const from = run.tip?.id
  run.tip = to
  run.branchState = to?.state ?? {}
  run.unplaced = undefined
  run.emit({ type: 'head.moved', from, to: to?.id })
}
