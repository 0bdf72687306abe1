import { demand, TurnbuckleError } from '../base/errors.ts'
import type { Snapshot } from '../directives/directives.ts'
import { type BranchState, isOnPath, type TreeNode } from '../history/tree.ts'
import type { Instruction } from '../state/hook-data.ts'
import type { TurnState } from '../types/turn-state.ts'
import { closeCallsWithoutHooks } from './close-calls.ts'

/** The history is shared and never changed, so a snapshot is a few references, whatever the length of the history. */
interface TakenSnapshot extends Snapshot {
  readonly tip: TreeNode | undefined
  readonly branchState: BranchState
  readonly shared: ReadonlyMap<string, unknown> | undefined
  readonly instructions: readonly Instruction[]
}

export function takeSnapshot({ branch, hookData }: TurnState): Snapshot {
  const { shared, instructions } = hookData
  const { tip, state: branchState } = branch
  const taken: TakenSnapshot = { kind: 'snapshot', tip, branchState, shared: shared && new Map(shared), instructions }
  // For the log, where a hook keeps a snapshot among the shared values: the tree is there already.
  const toJSON = () => ({ ...taken, tip: tip?.id ?? null, shared: shared && [...shared] })
  return Object.freeze(Object.defineProperty(taken, 'toJSON', { value: toJSON }))
}

/** The snapshot, if it is one of this conversation. */
export function takenHere(turn: TurnState, snapshot: Snapshot): TakenSnapshot {
  const { tree } = turn.conversation
  const taken = snapshot as TakenSnapshot | null
  // A snapshot that was read from the log has the id of its message.
  const given: TreeNode | string | undefined = taken?.tip
  const tip = typeof given === 'string' ? tree.find(given) : (given ?? undefined)
  const whole = taken?.kind === 'snapshot' && Array.isArray(taken.instructions)
  const here = whole && (tip ? tree.find(tip.id) === tip : !given)
  demand(here, 'snapshot.foreign', 'That is no snapshot of this conversation: take one with ctx.snapshot().')
  return { ...taken, tip } as TakenSnapshot
}

/** Turn-scoped and conversation-scoped state, usage and step counts stay: they only grow. */
export function restoreSnapshot(turn: TurnState, snapshot: Snapshot): void {
  const taken = takenHere(turn, snapshot)
  const { branch, hookData } = turn
  if (turn.over) throw new TurnbuckleError('turn.ended', 'The turn is over: its history is closed.')
  const moves = taken.tip !== branch.tip
  if (moves && (branch.openCalls.length || (branch.hasOwnMessage && isBefore(turn, taken.tip))))
    throw new TurnbuckleError(
      'history.orphan',
      "Calls are open here, or the turn's own message would be gone. Return rewind(snapshot) instead: it sees to that.",
    )
  if (moves) {
    moveTip(turn, taken.tip)
    closeCallsWithoutHooks(turn)
  }
  branch.setState(taken.branchState)
  turn.stateLog.keepHere()
  hookData.restoreShared(taken.shared)
  hookData.setInstructions(taken.instructions)
}

/** True where the turn's own message comes after `tip`. */
export const isBefore = ({ branch: { origin } }: TurnState, tip: TreeNode | undefined): boolean =>
  !tip || (origin !== undefined && isOnPath(tip, origin))

export function moveTip(turn: TurnState, to: TreeNode | undefined): void {
  const { branch } = turn
  if (branch.tip === to) return
  const from = branch.tip?.id
  turn.ids.repeat()
  branch.moveTo(to)
  turn.tell({ type: 'head.moved', from, to: to?.id })
}
