import { interrupted } from '../base/errors.ts'
import type { Message } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import { addedEvent, pendingEvent, usageEvent } from '../events/event-makers.ts'
import { lazily } from '../events/news.ts'
import { openAfterRecording } from '../history/call-pairing.ts'
import type { TreeNode } from '../history/tree.ts'
import type { TurnState } from '../types/turn-state.ts'

/** The one place where a message is recorded. */
export function recordMessage(turn: TurnState, message: Message, usage?: Usage): TreeNode {
  if (turn.over) throw interrupted()
  const { branch, step, replay } = turn
  const { tip } = branch
  const node = placeMessage(turn, tip, message)
  node.usage ??= usage
  branch.advanceTo(node)
  const made = message === step.draft.reply ? step.draft.calls : undefined
  branch.setOpenCalls(openAfterRecording(branch.openCalls, message, made))
  if (message.id === turn.message.id) branch.recordOwnMessage(true)
  if (message.id === step.attempt?.id) step.endAttempt()
  if (message.id === step.draft.reply?.id) step.recordReply()
  turn.tell(lazily(addedEvent, node))
  // A message that the log has already it has with its states.
  if (node.state !== tip?.state && turn.journal && !replay.hadRecorded(node)) turn.stateLog.place(node, tip?.state)
  if (message.role === 'assistant') for (const call of branch.openCalls) turn.tell(lazily(pendingEvent, call, node.id))
  if (usage) turn.tell(lazily(usageEvent, node, turn.spent.usage))
  return node
}

/**
 * Puts a message on the tree. Ids of our own making are new; another one may be there already: a cached reply, a turn that a
 * wrap began again, a message that the log has from before a crash.
 */
export function placeMessage(turn: TurnState, parent: TreeNode | undefined, message: Message): TreeNode {
  const { replay, branch, id } = turn
  const { at } = turn.time
  const { tree } = turn.conversation
  const isRepeated = replay.repeats(parent)
  if (!isRepeated && turn.ids.isNew(message.id)) return tree.add(parent, message, id, at, branch.state)
  const place = tree.place(message.id, isRepeated)
  const known = typeof place !== 'string'
  const node = known ? place : tree.add(parent, { ...message, id: place }, id, at, branch.state)
  if (known) branch.setState(place.state)
  replay.noteRecorded(node, known)
  return node
}
