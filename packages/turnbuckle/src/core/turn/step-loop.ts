import { TurnbuckleError } from '../base/errors.ts'
import type { Message } from '../base/message.ts'
import { isPromise } from '../base/ports.ts'
import type { UnfinishedTurn } from '../durable/journal-port.ts'
import { type BranchState, isOnPath, type TreeNode } from '../history/tree.ts'
import { maxJumps, type NotedDirective, type Snapshot } from '../hooks/directives.ts'
import { outcomeOf } from '../hooks/resolve.ts'
import type { StageFrame } from '../hooks/stage-frame.ts'
import type { Pipeline } from '../stages/pipeline.ts'
import type { Stage } from '../stages/stage.ts'
import { applyQueue, settleCalls } from './settle-turn.ts'
import { isBefore, moveTip, takenHere } from './snapshot.ts'
import { openNext, Walk } from './stage-sequence.ts'
import { endBy, endByRule } from './turn-ending.ts'
import type { TurnState } from './turn-state.ts'

/** The stages of a turn, one after another: what comes before the steps, the steps, what comes after. */
export async function walkTurn(frame: StageFrame): Promise<void> {
  const { turn } = frame
  let previous: unknown
  for (const stage of turn.pipeline.turn) {
    // The last is not waited for here: while it runs, this is over.
    if (stage.name === 'step' && stage === turn.pipeline.turn.at(-1)) return loop(frame, stage)
    const opened = stage.name === 'step' ? loop(frame, stage) : openNext(stage, frame, previous)
    previous = isPromise(opened) ? await opened : opened
    if (turn.halted || (turn.ending && turn.ending.status !== 'completed')) return
  }
}

/** Step after step, until the resolver says that is all. */
async function loop(frame: StageFrame, step: Stage): Promise<void> {
  const { turn } = frame
  const walk = new Walk(frame)
  for (;;) {
    turn.beginStep()
    if (!turn.light(step)) await turn.framed(step, frame, undefined)
    else {
      // As `inside` would open it, but for the promise that a step without hooks does not need.
      for (let waiting = walk.go(step); waiting; ) {
        try {
          waiting = walk.goOn(await waiting)
        } catch (error) {
          waiting = walk.broke(error)
        }
      }
    }
    const more = endStep(frame)
    if (!(isPromise(more) ? await more : more)) return
  }
}

/** Whether another step follows. */
function endStep(frame: StageFrame): boolean | Promise<boolean> {
  const more = closeStep(frame)
  return isPromise(more) || frame.turn.halted ? endStepAgain(frame, more) : more
}

/** Recording what was said may have failed, or been stopped. */
async function endStepAgain(frame: StageFrame, first: boolean | Promise<boolean>): Promise<boolean> {
  let more = await first
  while (more && frame.turn.halted) more = await closeStep(frame)
  return more
}

function closeStep(frame: StageFrame): boolean | Promise<boolean> {
  const { turn } = frame
  if (turn.past) hearAgain(turn, turn.past)
  const outcome = outcomeOf(turn, true)
  if (turn.noted.length) turn.noted.length = 0
  turn.halted = false
  switch (outcome.type) {
    case 'interrupted':
      return false
    case 'continue':
      return turn.queue.length || turn.openCalls.length ? goOn(frame) : withinLimit(frame)
    case 'done':
      // Atomic with the last look at the queue: what was accepted before has been applied, nothing is accepted after.
      turn.queueClosed = true
      turn.ending = { status: 'completed', reason: 'done', by: 'model' }
      return false
    case 'directive':
      return follow(frame, outcome.noted)
    default:
      return outcome satisfies never
  }
}

/** A pipeline without tools, or without detection, has left the calls open. */
async function goOn(frame: StageFrame): Promise<boolean> {
  const { turn } = frame
  await settleCalls(frame, 'The call was not run.')
  await applyQueue(frame)
  return !turn.over && withinLimit(frame)
}

/** What was said before a crash is heard again where it was heard then, and the rest when the past is over. */
function hearAgain(turn: TurnState, past: UnfinishedTurn): void {
  let last = turn.tip?.id
  for (let next = past.interjections[turn.heard]; next; next = past.interjections[turn.heard]) {
    const heardHere = next.messageId !== undefined && turn.conversation.tree.find(next.messageId)?.parentId === last
    if (!heardHere && !(next.messageId === undefined && turn.step >= past.lastStep)) return
    turn.heard++
    turn.queue.push({ text: next.text })
    last = next.messageId
  }
}

function withinLimit({ turn }: StageFrame): boolean {
  const { maxSteps } = turn.agent
  if (turn.steps < maxSteps) return true
  endByRule(turn, `${maxSteps} steps`, 'maxSteps')
  return false
}

/** Does what the winning directive says; true when the turn goes on. */
async function follow(frame: StageFrame, noted: NotedDirective): Promise<boolean> {
  const { turn } = frame
  const { directive, decision } = noted
  if (endBy(turn, noted)) {
    decision.won = true
    return false
  }
  if (++turn.jumps > maxJumps) {
    endByRule(turn, `${maxJumps} jumps`, 'maxJumps')
    return false
  }
  decision.won = true
  await settleCalls(frame, `left behind by ${decision.by}`)
  if (turn.over) return false
  if (directive.type === 'goto') {
    if (typeof directive.value === 'string') turn.startAt = directive.value
    else turn.pipeline = directive.value as Pipeline
  }
  if (directive.type === 'rewind')
    await goBack(frame, directive.value as { to: Snapshot | number | string; message?: string }, decision.by)
  if (directive.type === 'again') await tell(frame, String(directive.value || 'Please continue.'), 'again', decision.by)
  if (turn.queue.length) await applyQueue(frame)
  return !turn.over && withinLimit(frame)
}

async function goBack(
  frame: StageFrame,
  target: { to: Snapshot | number | string; message?: string },
  by: string,
): Promise<void> {
  const { turn } = frame
  const { to } = target
  moveTip(turn, findTarget(turn, to))
  // A node's state may have changed since: what counts is how it was then.
  const state = typeof to === 'object' ? (to as Snapshot & { branchState: BranchState }).branchState : undefined
  turn.branchState = state ?? (typeof to === 'number' ? turn.markStates[to] : undefined) ?? turn.branchState
  await settleCalls(frame, 'not run on this branch', 'interrupted')
  // From before the turn it goes on with the turn's own message.
  if (isBefore(turn, turn.tip)) await turn.append(frame, turn.message)
  if (target.message) await tell(frame, target.message, 'rewind', by)
}

/** Where a rewind goes: a snapshot, the beginning of a step, or a message of this path. */
export function findTarget(turn: TurnState, to: Snapshot | number | string): TreeNode | undefined {
  if (typeof to === 'object') return takenHere(turn, to).tip
  if (typeof to === 'number') {
    if (to in turn.marks) return turn.marks[to]
    throw new TurnbuckleError(
      'rewind.step',
      `There was no step ${to} in this turn: it has had ${turn.marks.length}, counted from 0.`,
    )
  }
  const node = turn.conversation.tree.find(to)
  if (node && isOnPath(node, turn.tip)) return node
  throw new TurnbuckleError('rewind.missing', `No message "${to}" on this path to rewind to.`)
}

const tell = async (frame: StageFrame, text: string, kind: string, by: string): Promise<void> => {
  const { turn } = frame
  const id = turn.ids.of(`s${turn.step}${kind}`)
  const message: Message = { id, role: 'user', content: [{ type: 'text', text }], by }
  await turn.append(frame, message)
}
