import { type Call, isToolResult, type Message, type ToolResult, textOf } from '../base/message.ts'
import { cutOffRunning, cutOffWaiting, notRun, notRunBecause } from '../history/call-pairing.ts'
import type { TreeNode } from '../history/tree.ts'
import { looksFirst } from '../hooks/hook-set.ts'
import type { Interjection } from '../state/turn-people.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'
import { closeCalls, owedResult } from './close-calls.ts'
import { recordMessage } from './record-message.ts'

/** Interjections become messages, first in, first out. */
export async function applyQueue(frame: StageFrame): Promise<void> {
  const { turn } = frame
  const { people } = turn
  for (let said = people.recordFirst(); said && !turn.over; said = people.recordFirst()) {
    const message = interjection(turn, said)
    const { result } = await turn.append(frame, message)
    // An interrupt meanwhile has recorded the rest of the queue.
    if (turn.over) return
    people.shift()
    tellApplied(turn, message, textOf((result as TreeNode | undefined)?.message))
  }
}

const interjection = (turn: TurnState, { text, by }: Interjection): Message => ({
  id: turn.ids.of(`i${turn.people.nextApplied()}`),
  role: 'user',
  content: [{ type: 'text', text }],
  ...(by === undefined ? {} : { by }),
})

function tellApplied(turn: TurnState, { id: messageId, by }: Message, text: string): void {
  turn.tell({ type: 'interjection.applied', text, messageId, ...(by === undefined ? {} : { by }) })
}

/** Before a turn ends: shown text is kept, calls are answered, interjections are recorded. An interrupt has done so already. */
export async function settleTurn(frame: StageFrame): Promise<void> {
  const { turn } = frame
  const { ending } = turn.steering
  if (turn.over) return
  if (!turn.branch.hasOwnMessage && !ending?.refused && turn.message.content.length)
    await turn.append(frame, turn.message)
  const reply = unrecordedReply(turn)
  if (reply) {
    await turn.append(frame, reply)
    turn.step.dropAttempt('it could not be recorded')
  }
  await closeCalls(frame, ending && ending.status !== 'completed' ? notRunBecause(ending.reason) : notRun)
  turn.people.close()
  await applyQueue(frame)
  if (ending?.say)
    await turn.append(frame, {
      id: turn.ids.of('say'),
      role: 'assistant',
      content: [{ type: 'text', text: ending.say }],
      by: ending.by,
    })
}

/** A reply that was not recorded: whole when the model had finished, else the text that was shown, marked as interrupted. */
function unrecordedReply({ step }: TurnState): Message | undefined {
  const { reply } = step.draft
  return reply && !step.replyRecorded && reply.content.length ? reply : step.attempt?.partial()
}

/** Settles an interrupted turn: at once, without hooks, because the terminal event must not wait for anyone. */
export function settleWithoutHooks(turn: TurnState): void {
  const { branch, people, step, hooks } = turn
  const partial = step.attempt?.partial()
  // A person's message that hooks would have looked at first (a redactor) is not recorded without them. The partial reply was shown already.
  const unseen = looksFirst(hooks.chain('append'))
  if (!branch.hasOwnMessage && !unseen && !looksFirst(hooks.chain('input'))) recordMessage(turn, turn.message)
  if (partial) recordMessage(turn, partial)
  while (branch.openCalls.length) recordMessage(turn, owedResult(turn, cutOffResult(turn, branch.openCalls[0] as Call)))
  people.close()
  // Interjections that hooks have not seen go on to the next turn instead.
  const said = people.takeAll()
  people.queueUp(...said.filter(each => turn.isLookedAt(each)))
  for (const each of said) {
    if (turn.isLookedAt(each)) continue
    const message = interjection(turn, each)
    recordMessage(turn, message)
    tellApplied(turn, message, each.text)
  }
}

/** The result of a call that an interrupt found open: a refused call stays refused, one that had not begun has not run. */
function cutOffResult({ calls, managed, replay }: TurnState, call: Call): ToolResult {
  const running = calls.batch.find(each => each.call.id === call.id)
  // Without a batch of ours, it can have begun in a process before this one, or in a model that runs tools itself.
  if (!running) return managed || replay.began(call.id) ? cutOffRunning : cutOffWaiting
  if (running.hasBegun) return cutOffRunning
  const { status, result } = running.frame
  return status === 'skipped' && isToolResult(result) ? result : cutOffWaiting
}
