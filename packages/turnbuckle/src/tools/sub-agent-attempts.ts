import { Conversation as ConversationHandle } from '../core/agent/conversation.ts'
import { bytesOf, hexOf, sha256 } from '../core/base/sha256.ts'
import type { Conversation } from '../core/types/conversation.ts'
import type { TurnState } from '../core/types/turn-state.ts'

export type AttemptEnd = NonNullable<Awaited<ReturnType<typeof ConversationHandle.endOf>>>

/** A turn of a sub-agent for one call, as its log has it. */
export interface Attempt {
  readonly turnId: string
  /** Missing where it has not ended. */
  readonly end: AttemptEnd | undefined
}

/** A turn that a sub-agent works in for somebody else's call, or the one that stands for it here. */
type Caller = Pick<TurnState, 'id'> & Partial<TurnState>

/** The id of a sub-agent's turn: of its first attempt, or of the one after another. Its conversation is that of one call. */
export const attemptId = (conversationId: string, after: string | undefined): string =>
  `turn_${hexOf(sha256(bytesOf(JSON.stringify([conversationId, after ?? null])))).slice(0, 32)}`

/**
 * The last turn that a call's sub-agent has begun, by its log; undefined where it has begun none. People may talk in its conversation: their turns
 * are none of the call's, whenever they end.
 */
export async function lastAttempt(caller: Caller, conversation: Conversation): Promise<Attempt | undefined> {
  let last: Attempt | undefined
  for (let id = attemptId(conversation.id, undefined); ; id = attemptId(conversation.id, id)) {
    const attempt = await readAttempt(conversation, id)
    if (!attempt) break
    last = attempt
    if (!attempt.end) break
  }
  return last ?? attemptOfBefore(caller, conversation)
}

async function readAttempt(conversation: Conversation, turnId: string): Promise<Attempt | undefined> {
  if (conversation.unfinished.includes(turnId)) return { turnId, end: undefined }
  const status = await ConversationHandle.coreOf(conversation).journal?.turnStatus(turnId)
  if (status === undefined) return undefined
  return { turnId, end: status === 'open' ? undefined : await ConversationHandle.endOf(conversation, turnId) }
}

/** Earlier versions gave attempts ids of their own. The caller's log names them, but for one that was lost as it began: there the sub-agent was alone. */
async function attemptOfBefore(caller: Caller, conversation: Conversation): Promise<Attempt | undefined> {
  if (ConversationHandle.coreOf(conversation).seq === 0) return undefined
  const told = (caller.replay?.past?.events ?? []).findLast(
    event => event.type === 'agent.started' && event.agentConversationId === conversation.id,
  )
  if (told?.type === 'agent.started') {
    const attempt = await readAttempt(conversation, told.agentTurnId)
    if (attempt) return attempt
  }
  const [turnId] = conversation.unfinished
  if (turnId !== undefined) return { turnId, end: undefined }
  const end = await conversation.lastEnd()
  return end && { turnId: end.turnId, end }
}
