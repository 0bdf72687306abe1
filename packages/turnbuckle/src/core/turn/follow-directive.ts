import { TurnbuckleError } from '../base/errors.ts'
import type { Message } from '../base/message.ts'
import {
  type Directive,
  type DirectiveType,
  maxJumps,
  type NotedDirective,
  type RewindTarget,
  type Snapshot,
} from '../directives/directives.ts'
import { outcomeOf } from '../directives/resolve.ts'
import { leftBehindBy, notRunAfterRewind, notRunBecause } from '../history/call-pairing.ts'
import { type BranchState, isOnPath, type TreeNode } from '../history/tree.ts'
import { doneEnding, type TurnEnding } from '../state/turn-ending.ts'
import type { Pipeline } from '../types/pipeline.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { closeCalls } from './close-calls.ts'
import { applyQueue } from './settle-turn.ts'
import { stepsTaken } from './steps-taken.ts'
import { isBefore, moveTip, takenHere } from './take-snapshot.ts'

type Jump = (frame: StageFrame, directive: Directive, by: string) => Promise<void> | void

/**
 * The effect of each directive that wins at the end of a step, or outside of one: it ends the turn, or jumps and the turn goes on. A
 * new directive is a type error here until its row says which. `skip`, `block` and `replace` concern their stage alone.
 */
const effects: Readonly<
  Record<DirectiveType, { ends(directive: Directive, by: string): TurnEnding } | { jumps: Jump } | undefined>
> = {
  skip: undefined,
  block: undefined,
  replace: undefined,
  fail: { ends: ({ reason = 'fail', value }, by) => ({ status: 'failed', reason, by, error: value }) },
  stop: {
    ends: ({ reason = 'stop', value, say }, by) => ({
      status: 'stopped',
      reason,
      by,
      say,
      refused: value === 'refused',
    }),
  },
  finish: { ends: ({ reason = 'finish' }, by) => ({ status: 'completed', reason, by }) },
  rewind: { jumps: (frame, { value }, by) => goBack(frame, value as RewindTarget, by) },
  goto: {
    jumps({ turn }, { value }) {
      if (typeof value === 'string') turn.step.startWith(value)
      else {
        turn.agent.noteLeftOut(value as Pipeline)
        turn.switchPipeline(value as Pipeline)
      }
    },
  },
  again: { jumps: (frame, { value }, by) => tellModel(frame, String(value || 'Please continue.'), 'again', by) },
}

/** Does what the winning directive says at the end of a step; true when the turn goes on. */
export async function followDirective(frame: StageFrame, { directive, decision }: NotedDirective): Promise<boolean> {
  const { turn } = frame
  const effect = effects[directive.type]
  if (!effect || 'ends' in effect) {
    turn.steering.markWon(decision)
    turn.settle(effect?.ends(directive, decision.by) ?? doneEnding)
    return false
  }
  if (turn.steering.countJump() > maxJumps) {
    endByRule(turn, `${maxJumps} jumps`, 'maxJumps')
    return false
  }
  turn.steering.markWon(decision)
  await closeCalls(frame, notRunBecause(leftBehindBy(decision.by)))
  if (turn.over) return false
  await effect.jumps(frame, directive, decision.by)
  await applyQueue(frame)
  return !turn.over && !endAtStepLimit(turn)
}

/** Ends the turn by the directives that were noted outside a step; as done, where none of them ends a turn. */
export function endAsNoted(turn: TurnState): void {
  const { ending } = turn.steering
  // A stage behind the steps of a completed turn may still end it otherwise.
  if (ending && (ending.status !== 'completed' || !turn.steering.noted.list.length)) return
  const outcome = outcomeOf(turn, true)
  turn.steering.noted.clear()
  const noted = outcome.type === 'directive' ? outcome.noted : undefined
  if (noted) turn.steering.markWon(noted.decision)
  const effect = noted && effects[noted.directive.type]
  turn.settle(effect && 'ends' in effect ? effect.ends(noted.directive, noted.decision.by) : (ending ?? doneEnding))
}

/** Ends the turn where the agent's step limit is reached; false where another step may begin. */
export function endAtStepLimit(turn: TurnState): boolean {
  const { maxSteps } = turn.agent
  if (stepsTaken(turn) < maxSteps) return false
  endByRule(turn, `${maxSteps} steps`, 'maxSteps')
  return true
}

/** Ends the turn by a rule of the loop itself. */
function endByRule(turn: TurnState, reason: string, by: string): void {
  turn.steering.list({ directive: 'stop', by, at: 'step', step: turn.step.index, reason, won: true })
  turn.settle({ status: 'stopped', reason, by })
}

async function goBack(frame: StageFrame, { to, message }: RewindTarget, by: string): Promise<void> {
  const { turn } = frame
  const { branch } = turn
  moveTip(turn, findTarget(turn, to))
  // A node's states may have changed since: those count that the branch had then.
  const state = typeof to === 'object' ? (to as Snapshot & { branchState?: BranchState }).branchState : undefined
  branch.setState(state ?? (typeof to === 'number' ? branch.markOf(to)?.state : undefined) ?? branch.state)
  await closeCalls(frame, notRunAfterRewind)
  // A rewind to before the turn goes on with the turn's own message.
  if (isBefore(turn, branch.tip) && !turn.link.goesOn) await turn.append(frame, turn.message)
  if (message) await tellModel(frame, message, 'rewind', by)
}

/** The target of a rewind: a snapshot, the beginning of a step, or a message of this path. */
function findTarget(turn: TurnState, to: Snapshot | number | string): TreeNode | undefined {
  const { branch, conversation } = turn
  if (typeof to === 'object') return takenHere(turn, to).tip
  if (typeof to === 'number') {
    const mark = branch.markOf(to)
    if (mark) return mark.tip
    throw new TurnbuckleError(
      'rewind.step',
      `There was no step ${to} in this turn: it has had ${branch.markedSteps}, counted from 0.`,
    )
  }
  const node = conversation.tree.find(to)
  if (node && isOnPath(node, branch.tip)) return node
  throw new TurnbuckleError('rewind.missing', `No message "${to}" on this path to rewind to.`)
}

async function tellModel(frame: StageFrame, text: string, kind: string, by: string): Promise<void> {
  const { turn } = frame
  const id = turn.ids.of(`s${turn.step.index}${kind}`)
  const message: Message = { id, role: 'user', content: [{ type: 'text', text }], by }
  await turn.append(frame, message)
}
