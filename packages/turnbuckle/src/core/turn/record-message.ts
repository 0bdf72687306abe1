import { interrupted } from '../base/errors.ts'
import { type Call, callsOf, type Message } from '../base/message.ts'
import { none } from '../base/none.ts'
import type { Usage } from '../base/ports.ts'
import { addedEvent, pendingEvent, usageEvent } from '../events/shared-conversation.ts'
import type { TreeNode } from '../history/tree.ts'
import type { TurnState } from './turn-state.ts'

/** The one place where a message is recorded. */
export function record(turn: TurnState, message: Message, usage?: Usage): TreeNode {
  if (turn.over) throw interrupted()
  const { conversation, tip } = turn
  const node = put(turn, tip, message)
  node.usage ??= usage
  turn.tip = node
  turn.openCalls = openAfter(turn, message)
  if (message.id === turn.message.id) turn.recorded = true
  if (message.id === turn.attempt?.id) turn.attempt = undefined
  if (message.id === turn.draft.reply?.id) turn.replyRecorded = true
  conversation.tellLazily(turn, addedEvent, node, undefined)
  // What the log has already it has with its states.
  if (node.state !== tip?.state && turn.journal && !turn.repeated?.get(node)) turn.stateNotes.place(node, tip?.state)
  if (message.role === 'assistant')
    for (const call of turn.openCalls) conversation.tellLazily(turn, pendingEvent, call, undefined)
  if (usage) conversation.tellLazily(turn, usageEvent, node, turn.usage)
  return node
}

/** The calls that have no result yet, once this message is recorded. */
function openAfter({ openCalls, draft }: TurnState, message: Message): readonly Call[] {
  if (message.role === 'assistant')
    return message === draft.reply && draft.calls.length ? draft.calls : callsOf(message)
  if (message.role !== 'tool') return openCalls
  return openCalls.length > 1 ? openCalls.slice(1) : none
}

/**
 * Puts a message on the tree. Ids of our own making are new; another one may be there already: a cached reply, a turn
 * that a wrap began again.
 */
export function put(turn: TurnState, parent: TreeNode | undefined, message: Message): TreeNode {
  const { past, id, at } = turn
  const { tree } = turn.conversation
  if (!past && turn.ids.isNew(message.id)) return tree.add(parent, message, id, at, turn.branchState)
  const place = tree.place(message.id, past && (node => isPast(turn, node, parent)))
  const known = typeof place !== 'string'
  const node = known ? place : tree.add(parent, { ...message, id: place }, id, at, turn.branchState)
  if (known) turn.branchState = place.state
  if (past) turn.repeated = (turn.repeated ?? new Map()).set(node, known)
  return node
}

/** The log has it there, from when this turn was gone through first. Each is used again once. */
const isPast = (turn: TurnState, node: TreeNode, parent: TreeNode | undefined): boolean =>
  node.turnId === turn.id && node.parent === parent && !turn.repeated?.has(node)
