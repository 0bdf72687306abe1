import type { Event } from '../events/events.ts'
import { flatUse } from '../hooks/middleware.ts'
import { catchUpUsage } from '../model/usage.ts'
import { TurnState } from '../turn/turn-state.ts'
import type { SendOptions } from '../types/conversation.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import type { TurnPlace } from './make-turn.ts'

/** Makes a turn that a process has left unfinished anew, with its id, events, states and usage as the log has them. */
export function restoreTurn(
  { agent, conversation, handle, depth, parent }: TurnPlace,
  past: UnfinishedTurn,
  { use }: SendOptions,
): TurnState {
  const origin = past.parentId === undefined ? undefined : conversation.tree.find(past.parentId)
  const turn = new TurnState(agent, handle, conversation, past.turnId, past.message, origin, {
    depth: parent ? parent.depth + 1 : depth,
    deepest: Math.min(agent.maxDepth, parent?.deepest ?? Infinity),
    parent,
    use: use && flatUse(use),
    client: past.client,
    goesOn: past.goesOn || undefined,
  })
  if (past.goesOn) turn.branch.recordOwnMessage(true)
  turn.replay.resume(past)
  for (const event of past.events) if (!isClosedQuestion(event, past)) turn.events.push(event)
  for (const [name, state] of past.states) turn.hookData.setState(name, state)
  if (past.usage) turn.spent.setUsage(past.usage)
  turn.spent.bill(past.lost)
  if (past.waited !== undefined) turn.people.noteAsked()
  if (parent) catchUpUsage(parent, { id: turn.id, usage: turn.spent.usage })
  return turn
}

/** True for a `request.opened` whose request has ended: who answers what a resumed turn asks is not asked it again. */
const isClosedQuestion = (event: Event, past: UnfinishedTurn): boolean =>
  event.type === 'request.opened' && (past.answer(event.requestId) !== undefined || past.expired(event.requestId))
