import { TurnbuckleError } from '../base/errors.ts'
import type { Event } from '../events/events.ts'
import { isFollower } from '../events/is-follower.ts'
import type { TreeNode } from '../history/tree.ts'
import type { ConversationCore } from '../types/conversation-core.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'

/** A turn that has not begun: it waits until this process is the writer. */
const isWaiting = (turn: TurnState): boolean => turn.phase === 'waiting'

/** True while a turn waits to become the writer of the log. */
export const hasWaitingTurn = ({ running }: ConversationCore): boolean => running.some(isWaiting)

/** The log is lost: every turn of this process fails here, and another process may go on with it. */
export function abandonTurns({ running }: ConversationCore, error: unknown): void {
  for (const turn of running) turn.abandon(error)
}

/** Another process has moved the conversation on: turns that follow its head and have not begun here move with it. */
export function moveHead(conversation: ConversationCore, head: TreeNode | undefined): void {
  conversation.head = head
  if (conversation.latest?.over) conversation.latest = undefined
  for (const turn of conversation.running) if (isWaiting(turn) && isFollower(turn)) turn.branch.startAt(head)
}

/** Takes in the turns that the log has as open; turns that are at work here know more than the log. */
export function takeUnfinished(conversation: ConversationCore, open: readonly UnfinishedTurn[]): void {
  const { unfinished, running } = conversation
  dropEnded(conversation, new Set(open.map(({ turnId }) => turnId)))
  for (const past of open) {
    const here = running.find(({ id }) => id === past.turnId)
    // A turn that was sent here under an id which the log has already does not begin: the log's is resumed.
    if (!here || (isWaiting(here) && !here.replay.past)) unfinished.set(past.turnId, past)
    else if (isWaiting(here)) catchUpWith(here, past)
  }
}

/** Another process has ended these turns since they were read here. */
function dropEnded({ unfinished, running, head }: ConversationCore, open: ReadonlySet<string>): void {
  for (const turnId of unfinished.keys()) if (!open.has(turnId)) unfinished.delete(turnId)
  for (const turn of running)
    if (turn.replay.past && isWaiting(turn) && !open.has(turn.id)) {
      turn.branch.advanceTo(head)
      turn.abandon(endedElsewhere(turn.id))
    }
}

const endedElsewhere = (turnId: string) =>
  new TurnbuckleError('turn.ended', `Another process has gone on with the turn "${turnId}" and ended it.`, {
    kind: 'store',
  })

/** An answer has come between reading the resumed turn and becoming its writer. */
function catchUpWith(turn: TurnState, past: UnfinishedTurn): void {
  for (const event of past.events.slice(turn.replay.past?.events.length)) turn.events.push(event)
  turn.replay.resume(past)
}

/** Events that the log had of a turn when it was resumed here. */
export const eventsBefore = ({ running }: ConversationCore, turnId: string): readonly Event[] =>
  running.find(({ id }) => id === turnId)?.replay.past?.events ?? []
