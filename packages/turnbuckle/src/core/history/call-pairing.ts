import { TurnbuckleError } from '../base/errors.ts'
import { none } from '../base/lists.ts'
import { type Call, callsOf, type Message, type ResultStatus, resultMessage, type ToolResult } from '../base/message.ts'
import type { TreeNode } from './tree.ts'

/*
 * Every call on a branch has exactly one result, in call order, right behind the message that made it. That rule is decided here
 * and nowhere else: for recording, forking, editing, importing, resuming and repairing. Pure: nothing is written.
 */

/** Why a message breaks the rule, given the calls that are open before it. */
export type PairingProblem =
  | { readonly problem: 'unanswered'; readonly callId: string }
  | { readonly problem: 'stray'; readonly callId: string }

/** The calls that a message opens. */
export const callsMadeBy = (message: Message): readonly Call[] =>
  message.role === 'assistant' ? callsOf(message) : none

/** The calls that are open once a message follows, or why it must not. */
export function openAfter(open: readonly Call[], message: Message): readonly Call[] | PairingProblem {
  const [first] = open
  if (message.role !== 'tool') {
    if (first) return { problem: 'unanswered', callId: first.id }
    return callsMadeBy(message)
  }
  const results = message.content.filter(part => part.type === 'result')
  const stray = results.find(({ id }, i) => id !== open[i]?.id)
  return stray ? { problem: 'stray', callId: stray.id } : open.slice(results.length)
}

/** True where a message is nothing but results of the first open calls, under their names: for what was made elsewhere. */
export const answersFirst = (open: readonly Call[], { content }: Message): boolean =>
  content.every((part, i) => part.type === 'result' && part.id === open[i]?.id && part.name === open[i]?.name)

export const isProblem = (open: readonly Call[] | PairingProblem): open is PairingProblem => 'problem' in open

/** The calls that are open once a message of a turn is recorded, which answers the first of them if it is a result. */
export function openAfterRecording(open: readonly Call[], message: Message, made?: readonly Call[]): readonly Call[] {
  if (message.role === 'assistant') return made?.length ? made : callsOf(message)
  if (message.role !== 'tool') return open
  return open.length > 1 ? open.slice(1) : none
}

/** The calls that have no result yet on the path to `head`, in call order. */
export function openCallsAt(head: TreeNode | undefined): readonly Call[] {
  let node = head
  while (node?.message.role === 'tool') node = node.parent
  const calls = node?.message.role === 'assistant' ? callsOf(node.message) : none
  if (!calls.length) return calls
  const answered = new Set<string>()
  for (let at = head; at && at !== node; at = at.parent)
    for (const part of at.message.content) if (part.type === 'result') answered.add(part.id)
  return calls.filter(call => !answered.has(call.id))
}

// Results of calls that no tool has given one; models see their texts.

/** The result of a call that was not run, for a reason. */
export function notRunBecause(reason: unknown): ToolResult {
  return { status: 'blocked', value: reason }
}
/** The reason for calls and replies that a jump of a middleware's has left. */
export const leftBehindBy = (middleware: string): string => `left behind by ${middleware}`
/** The result of a call that was left open where a branch leaves. */
export const notRunHere: ToolResult = { status: 'interrupted', value: 'Not run on this branch.' }
/** The result of a call that a rewind leaves open behind it. */
export const notRunAfterRewind: ToolResult = { status: 'interrupted', value: 'not run on this branch' }
/** The result of a call that nobody ran. */
export const notRun: ToolResult = notRunBecause('The call was not run.')
/** The result of a call whose whole batch was not run. */
export const batchNotRun: ToolResult = notRunBecause('The tools were not run.')
/** The results of calls that an interrupt found open, running or not yet begun. */
export const cutOffRunning: ToolResult = { status: 'interrupted', value: 'Interrupted. It may have completed.' }
export const cutOffWaiting: ToolResult = { status: 'interrupted', value: 'Interrupted before it ran.' }

/** A result that a hook kept from being recorded, without its value: the hook may have been there to redact it. */
export const withheldResult = (message: Message): Message => ({
  ...message,
  content: message.content.map(part =>
    part.type === 'result'
      ? { ...part, status: 'error' satisfies ResultStatus, value: 'Withheld: it could not be recorded as it was.' }
      : part,
  ),
})

/** The results that a branch needs which leaves at `head` while calls are open there. Ids derive from the message and the call. */
export const resultsForOpen = (head: TreeNode): readonly { readonly id: string; readonly message: Message }[] =>
  openCallsAt(head).map(call => {
    const id = `${head.id}.${call.id}`
    return { id, message: resultMessage(id, call, notRunHere) }
  })

/** Refuses a message that makes or answers other calls than it did before hooks changed it. `reply`: the step's, whose calls will run. */
export function checkRecordable(open: readonly Call[], reply: Message | undefined, message: Message): void {
  const owed = open[0]
  // As most messages are: the reply that no hook has changed, the one result that is owed.
  if (!owed && message === reply && message.content.length) return
  const [only] = message.content
  if (owed && message.role === 'tool' && message.content.length === 1 && only?.type === 'result' && only.id === owed.id)
    return
  const answered = message.content.filter(part => part.type === 'result').map(part => part.id)
  if (owed ? message.role !== 'tool' || answered.length !== 1 || answered[0] !== owed.id : message.role === 'tool')
    throw changed(owed ? `it must be the result of "${owed.id}"` : 'no call waits for a result')
  const made = callsOf(message).map(({ id }) => id)
  const wanted = reply && message.id === reply.id ? callsOf(reply).map(({ id }) => id) : []
  if (made.join() !== wanted.join()) throw changed('its calls are not those that will run')
  if (!message.content.length) throw changed('it is empty')
}

const changed = (why: string): TurnbuckleError =>
  new TurnbuckleError(
    'message.changed',
    `The message cannot be recorded: ${why}. Before it is appended only its text and values may change; return skip(calls) in beforeDetect to change calls.`,
    { kind: 'validation' },
  )

/**
 * Refuses an edited path on which a call would lose its result, or a result its call. The calls of a running batch are open at
 * the end, and only they. Looks only at what an edit from `from` on can have touched.
 */
export function checkEdited(path: readonly Message[], from: number, running: readonly Call[]): void {
  let open: readonly Call[] = none
  for (const message of path.slice(groupStart(path, from))) {
    const next = openAfter(open, message)
    if (isProblem(next)) throw orphan(reasons[next.problem](next.callId))
    open = next
  }
  const [first] = open
  if (first && open.length > running.length) throw orphan(reasons.unanswered(first.id))
  if (running.some(({ id }, i) => open[i]?.id !== id))
    throw orphan('calls are running whose results belong at the end of the path')
}

const reasons: Readonly<Record<PairingProblem['problem'], (callId: string) => string>> = {
  unanswered: id => `the call "${id}" would have no result`,
  stray: id => `the result of call "${id}" would stand alone`,
}

/** The index of the assistant's message that the message at `index` may belong to. */
function groupStart(path: readonly Message[], index: number): number {
  let start = Math.max(0, Math.min(index, path.length - 1))
  while (start > 0 && path[start]?.role === 'tool') start--
  while (start > 0 && path[start - 1]?.role === 'tool') start--
  return start > 0 && path[start - 1]?.role === 'assistant' ? start - 1 : start
}

export const orphan = (why: string): TurnbuckleError =>
  new TurnbuckleError('history.orphan', `That edit is refused: ${why}. Edit a call together with its result.`)
