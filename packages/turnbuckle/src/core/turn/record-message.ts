import { interrupted } from '../base/errors.ts'
import { type Call, callsOf, type Message } from '../base/message.ts'
import { none } from '../base/none.ts'
import type { Usage } from '../base/ports.ts'
import { addedEvent, pendingEvent, usageEvent } from '../events/shared-conversation.ts'
import type { TreeNode } from '../history/tree.ts'
import type { Run } from './turn-state.ts'

/** The one place where a message is recorded. */
export function record(run: Run, message: Message, usage?: Usage): TreeNode {
  if (run.over) throw interrupted()
  const { thread, tip } = run
  const node = put(run, tip, message)
  node.usage ??= usage
  run.tip = node
  run.openCalls = openAfter(run, message)
  if (message.id === run.message.id) run.recorded = true
  if (message.id === run.attempt?.id) run.attempt = undefined
  if (message.id === run.draft.reply?.id) run.replyRecorded = true
  thread.news(run, addedEvent, node, undefined)
  // What the log has already it has with its states.
  if (node.state !== tip?.state && run.journal && !run.repeated?.get(node)) run.stateNotes.place(node, tip?.state)
  if (message.role === 'assistant') for (const call of run.openCalls) thread.news(run, pendingEvent, call, undefined)
  if (usage) thread.news(run, usageEvent, node, run.usage)
  return node
}

/** The calls that have no result yet, once this message is recorded. */
function openAfter({ openCalls, draft }: Run, message: Message): readonly Call[] {
  if (message.role === 'assistant')
    return message === draft.reply && draft.calls.length ? draft.calls : callsOf(message)
  if (message.role !== 'tool') return openCalls
  return openCalls.length > 1 ? openCalls.slice(1) : none
}

/**
 * Puts a message on the tree. Ids of our own making are new; another one may be there already: a cached reply, a turn
 * that a wrap began again.
 */
export function put(run: Run, parent: TreeNode | undefined, message: Message): TreeNode {
  const { past, id, at } = run
  const { tree } = run.thread
  if (!past && run.names.isNew(message.id)) return tree.add(parent, message, id, at, run.branchState)
  const place = tree.place(message.id, past && (node => isPast(run, node, parent)))
  const known = typeof place !== 'string'
  const node = known ? place : tree.add(parent, { ...message, id: place }, id, at, run.branchState)
  if (known) run.branchState = place.state
  if (past) run.repeated = (run.repeated ?? new Map()).set(node, known)
  return node
}

/** The log has it there, from when this turn was gone through first. Each is used again once. */
const isPast = (run: Run, node: TreeNode, parent: TreeNode | undefined): boolean =>
  node.turnId === run.id && node.parent === parent && !run.repeated?.has(node)
