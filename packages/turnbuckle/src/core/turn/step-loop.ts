import { TurnbuckleError } from '../base/errors.ts'
import type { Message } from '../base/message.ts'
import { isPromise } from '../base/ports.ts'
import type { Past } from '../durable/journal-port.ts'
import { type BranchState, isOnPath, type TreeNode } from '../history/tree.ts'
import { maxJumps, type Noted, type Snapshot } from '../hooks/directives.ts'
import { outcomeOf } from '../hooks/resolve.ts'
import type { Frame } from '../hooks/stage-frame.ts'
import type { Pipeline } from '../stages/pipeline.ts'
import type { Stage } from '../stages/stage.ts'
import { applyQueue, settleCalls } from './settle-turn.ts'
import { isBefore, moveTip, takenHere } from './snapshot.ts'
import { openNext, Walk } from './stage-sequence.ts'
import { endBy, endByRule } from './turn-ending.ts'
import type { Run } from './turn-state.ts'

/** The stages of a turn, one after another: what comes before the steps, the steps, what comes after. */
export async function walkTurn(frame: Frame): Promise<void> {
  const { run } = frame
  let previous: unknown
  for (const stage of run.pipeline.turn) {
    // The last is not waited for here: while it runs, this is over.
    if (stage.name === 'step' && stage === run.pipeline.turn.at(-1)) return loop(frame, stage)
    const opened = stage.name === 'step' ? loop(frame, stage) : openNext(stage, frame, previous)
    previous = isPromise(opened) ? await opened : opened
    if (run.halted || (run.ending && run.ending.status !== 'completed')) return
  }
}

/** Step after step, until the resolver says that is all. */
async function loop(frame: Frame, step: Stage): Promise<void> {
  const { run } = frame
  const walk = new Walk(frame)
  for (;;) {
    run.beginStep()
    if (!run.light(step)) await run.framed(step, frame, undefined)
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
function endStep(frame: Frame): boolean | Promise<boolean> {
  const more = closeStep(frame)
  return isPromise(more) || frame.run.halted ? endStepAgain(frame, more) : more
}

/** Recording what was said may have failed, or been stopped. */
async function endStepAgain(frame: Frame, first: boolean | Promise<boolean>): Promise<boolean> {
  let more = await first
  while (more && frame.run.halted) more = await closeStep(frame)
  return more
}

function closeStep(frame: Frame): boolean | Promise<boolean> {
  const { run } = frame
  if (run.past) hearAgain(run, run.past)
  const outcome = outcomeOf(run, true)
  if (run.noted.length) run.noted.length = 0
  run.halted = false
  switch (outcome.type) {
    case 'interrupted':
      return false
    case 'continue':
      return run.queue.length || run.openCalls.length ? goOn(frame) : withinLimit(frame)
    case 'done':
      // Atomic with the last look at the queue: what was accepted before has been applied, nothing is accepted after.
      run.queueClosed = true
      run.ending = { status: 'completed', reason: 'done', by: 'model' }
      return false
    case 'directive':
      return follow(frame, outcome.noted)
    default:
      return outcome satisfies never
  }
}

/** A pipeline without tools, or without detection, has left the calls open. */
async function goOn(frame: Frame): Promise<boolean> {
  const { run } = frame
  await settleCalls(frame, 'The call was not run.')
  await applyQueue(frame)
  return !run.over && withinLimit(frame)
}

/** What was said before a crash is heard again where it was heard then, and the rest when the past is over. */
function hearAgain(run: Run, past: Past): void {
  let last = run.tip?.id
  for (let next = past.interjections[run.heard]; next; next = past.interjections[run.heard]) {
    const heardHere = next.messageId !== undefined && run.thread.tree.find(next.messageId)?.parentId === last
    if (!heardHere && !(next.messageId === undefined && run.step >= past.lastStep)) return
    run.heard++
    run.queue.push({ text: next.text })
    last = next.messageId
  }
}

function withinLimit({ run }: Frame): boolean {
  const { maxSteps } = run.core
  if (run.steps < maxSteps) return true
  endByRule(run, `${maxSteps} steps`, 'maxSteps')
  return false
}

/** Does what the winning directive says; true when the turn goes on. */
async function follow(frame: Frame, noted: Noted): Promise<boolean> {
  const { run } = frame
  const { directive, decision } = noted
  if (endBy(run, noted)) {
    decision.won = true
    return false
  }
  if (++run.jumps > maxJumps) {
    endByRule(run, `${maxJumps} jumps`, 'maxJumps')
    return false
  }
  decision.won = true
  await settleCalls(frame, `left behind by ${decision.by}`)
  if (run.over) return false
  if (directive.type === 'goto') {
    if (typeof directive.value === 'string') run.startAt = directive.value
    else run.pipeline = directive.value as Pipeline
  }
  if (directive.type === 'rewind')
    await goBack(frame, directive.value as { to: Snapshot | number | string; message?: string }, decision.by)
  if (directive.type === 'again') await tell(frame, String(directive.value || 'Please continue.'), 'again', decision.by)
  if (run.queue.length) await applyQueue(frame)
  return !run.over && withinLimit(frame)
}

async function goBack(
  frame: Frame,
  target: { to: Snapshot | number | string; message?: string },
  by: string,
): Promise<void> {
  const { run } = frame
  const { to } = target
  moveTip(run, findTarget(run, to))
  // A node's state may have changed since: what counts is how it was then.
  const state = typeof to === 'object' ? (to as Snapshot & { branchState: BranchState }).branchState : undefined
  run.branchState = state ?? (typeof to === 'number' ? run.markStates[to] : undefined) ?? run.branchState
  await settleCalls(frame, 'not run on this branch', 'interrupted')
  // From before the turn it goes on with the turn's own message.
  if (isBefore(run, run.tip)) await run.append(frame, run.message)
  if (target.message) await tell(frame, target.message, 'rewind', by)
}

/** Where a rewind goes: a snapshot, the beginning of a step, or a message of this path. */
export function findTarget(run: Run, to: Snapshot | number | string): TreeNode | undefined {
  if (typeof to === 'object') return takenHere(run, to).tip
  if (typeof to === 'number') {
    if (to in run.marks) return run.marks[to]
    throw new TurnbuckleError(
      'rewind.step',
      `There was no step ${to} in this turn: it has had ${run.marks.length}, counted from 0.`,
    )
  }
  const node = run.thread.tree.find(to)
  if (node && isOnPath(node, run.tip)) return node
  throw new TurnbuckleError('rewind.missing', `No message "${to}" on this path to rewind to.`)
}

const tell = async (frame: Frame, text: string, kind: string, by: string): Promise<void> => {
  const { run } = frame
  const id = run.names.of(`s${run.step}${kind}`)
  const message: Message = { id, role: 'user', content: [{ type: 'text', text }], by }
  await run.append(frame, message)
}
