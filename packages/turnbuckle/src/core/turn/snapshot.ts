import { demand, TurnbuckleError } from '../base/errors.ts'
import { type BranchState, isOnPath, type TreeNode } from '../history/tree.ts'
import type { Snapshot } from '../hooks/directives.ts'
import { settleCallsNow } from './settle-turn.ts'
import type { TurnState } from './turn-state.ts'

/** The history is shared and never changed, so a snapshot is a few references, whatever its length. */
interface Taken extends Snapshot {
  readonly tip: TreeNode | undefined
  readonly branchState: BranchState
  readonly shared: ReadonlyMap<string, unknown> | undefined
  readonly instructions: TurnState['instructions']
}

export function takeSnapshot({ tip, branchState, shared, instructions }: TurnState): Snapshot {
  const taken: Taken = {
    kind: 'snapshot',
    tip,
    branchState,
    shared: shared && new Map(shared),
    instructions: [...instructions],
  }
  // For the log, where a hook keeps it among the shared values: the tree is there already.
  const toJSON = () => ({ ...taken, tip: tip?.id ?? null, shared: shared && [...shared] })
  return Object.freeze(Object.defineProperty(taken, 'toJSON', { value: toJSON }))
}

/** The id of the message that a snapshot was taken at. */
export function tipId(snapshot: Snapshot | null): string | undefined {
  const tip = (snapshot as { readonly tip?: TreeNode | string } | null)?.tip
  return typeof tip === 'string' ? tip : tip?.id
}

/** A snapshot, if it is one of this conversation. */
export function takenHere(turn: TurnState, snapshot: Snapshot): Taken {
  const taken = snapshot as Taken | null
  // One that was read from the log has the id.
  const given: TreeNode | string | undefined = taken?.tip
  const tip = typeof given === 'string' ? turn.conversation.tree.find(given) : (given ?? undefined)
  const whole = taken?.kind === 'snapshot' && Array.isArray(taken.instructions)
  const here = whole && (tip ? turn.conversation.tree.find(tip.id) === tip : !given)
  demand(here, 'snapshot.foreign', 'That is no snapshot of this conversation: take one with ctx.snapshot().')
  return { ...taken, tip } as Taken
}

/** Turn-scoped and conversation-scoped state, usage and step counts stay: they only grow. */
export function restore(turn: TurnState, snapshot: Snapshot): void {
  const taken = takenHere(turn, snapshot)
  if (turn.over) throw new TurnbuckleError('turn.ended', 'The turn is over: its history is settled.')
  if (taken.tip !== turn.tip && (turn.openCalls.length || (turn.recorded && isBefore(turn, taken.tip))))
    throw new TurnbuckleError(
      'history.orphan',
      "Calls are open here, or the turn's own message would be gone. Return rewind(snapshot) instead: it sees to that.",
    )
  if (taken.tip !== turn.tip) {
    moveTip(turn, taken.tip)
    settleCallsNow(turn)
  }
  turn.branchState = taken.branchState
  turn.stateNotes.keepHere()
  turn.shared = taken.shared && new Map(taken.shared)
  turn.instructions = [...taken.instructions]
}

/** Whether the turn's own message comes after it. */
export const isBefore = ({ origin }: TurnState, tip: TreeNode | undefined): boolean =>
  !tip || (origin !== undefined && isOnPath(tip, origin))

export function moveTip(turn: TurnState, to: TreeNode | undefined): void {
  if (turn.tip === to) return
  const from = turn.tip?.id
  turn.ids.repeat()
  turn.tip = to
  turn.branchState = to?.state ?? {}
  turn.emit({ type: 'head.moved', from, to: to?.id })
}
