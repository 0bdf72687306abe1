import { Conversation as ConversationHandle } from '../../core/agent/conversation.ts'
import { agentCoreOf } from '../../core/agent/make-agent-handle.ts'
import { TurnbuckleError } from '../../core/base/errors.ts'
import type { Store } from '../../core/durable/log-port.ts'
import { ownEvent } from '../../core/events/news.ts'
import type { AgentHandle } from '../../core/types/agent-core.ts'
import type { Conversation } from '../../core/types/conversation.ts'
import type { Turn } from '../../core/types/turn.ts'
import { lastAttempt } from '../sub-agent-attempts.ts'
import { beginSubAgent, interruptLeft, isAtWorkIn, isBegunFor } from '../sub-agent-turn.ts'
import { calledLevels } from './called-levels.ts'
import { CallerLine, type TellCaller } from './caller-line.ts'
import type { JoinedCaller } from './caller-messages.ts'
import { makeCallerShadow, releaseShadow } from './caller-shadow.ts'
import { keptTask } from './long-task.ts'
import { RelayedRequests } from './relayed-requests.ts'
import { SharedWithCaller } from './shared-with-caller.ts'
import type { SubAgentCaller } from './sub-agent-runner.ts'
import { noteWork } from './work-here.ts'

/** The work of a sub-agent for a call of a turn that another process works on. */
export interface CallerWork {
  /** The agent of the topmost turn: the same, with the same tools and guards, as in the caller's own process. */
  readonly agent: AgentHandle
  /** The sub-agent's conversation. */
  readonly conversationId: string
  /** The call that it works for. */
  readonly caller: SubAgentCaller
  /** Names this try. */
  readonly by: string
  /** Takes a message to the `hear` of the call. Gives `undefined` where nobody answers; rejects with its refusal. */
  readonly tell: TellCaller
}

/** A sub-agent's turn that is worked on here for a caller elsewhere. */
export interface WorkForCaller {
  /** The sub-agent's own conversation. */
  readonly conversation: Conversation
  /** The turn that works on the task. */
  readonly turn: Turn
  /** Resolves when the caller is gone: the turn can only be left to its log. */
  readonly lost: Promise<void>
  /** The caller waits no more. */
  hangUp(): void
  /** Resolves when the turn has ended or was left, and the caller was told. */
  readonly done: Promise<void>
}

/** Why a sub-agent is not worked on. */
export type NotWorkedOn =
  /** The log has its end. */
  | { readonly state: 'ended' }
  /** Nobody waits for it. */
  | { readonly state: 'left' }
  /** This process does not know the sub-agent: it has another agent than the caller. */
  | { readonly state: 'gone'; readonly reason: string }

/**
 * Works on a sub-agent for a caller in another process, as it would be there: under its guards with their states, within its
 * budgets, with its questions. Contract: one process at a time works on the conversation.
 */
export async function workForCaller(work: CallerWork): Promise<WorkForCaller | NotWorkedOn> {
  const line = new CallerLine(work.tell, work.by)
  const joined = await Promise.race([
    line.send({ type: 'join' }).then(answer => answer as JoinedCaller),
    line.lost.then(() => undefined),
  ])
  if (!joined) return { state: 'left' }
  const called = calledLevels(work.agent, work.caller)
  if (!called) return { state: 'gone', reason: `There is no sub-agent "${work.caller.tool}" in this process.` }
  const { sub, levels } = called
  const conversation = await sub.agent.open(work.conversationId)
  if (!isBegunFor({ id: work.caller.turnId }, conversation))
    return { state: 'gone', reason: `The conversation "${conversation.id}" was not begun for this call.` }
  const last = await lastAttempt({ id: work.caller.turnId }, conversation)
  if (last?.end && last.turnId !== joined.after) return { state: 'ended' }
  const left = last?.end ? undefined : last?.turnId
  const isResumed = left !== undefined
  // A turn that goes on has it in its log.
  const message = (await taskOf(agentCoreOf(work.agent)?.store, joined)) ?? (isResumed ? '' : undefined)
  if (message === undefined) return { state: 'gone', reason: 'The task of the sub-agent is no longer in the store.' }
  const shared = new SharedWithCaller(line, { waited: joined.waited, height: levels.length })
  const requests = new RelayedRequests(line, () => shared.noteAsked())
  const shadow = makeCallerShadow({ levels, joined, shared, requests })
  if (isAtWorkIn(conversation))
    throw new TurnbuckleError('turn.running', 'This process still works on the sub-agent for an order before.')
  const { turn, result } = beginSubAgent(sub, {
    caller: shadow,
    callId: work.caller.callId,
    conversation,
    message,
    after: joined.after,
    left,
    // The caller hears of what was used, and the sub-agent of what others have: limits count all.
    beforeStep: () => shared.share(),
    emit: event => shadow.tell(ownEvent(event)),
  })
  noteWork(turn, { call: work.caller, shared, requests })
  shared.follow(turn, isResumed)
  return {
    conversation,
    turn,
    lost: line.lost,
    hangUp: () => line.hangUp(),
    done: tellEnd({ conversation, turn, result, shared, shadow }),
  }
}

interface WorkUnderWay extends ReturnType<typeof beginSubAgent> {
  readonly conversation: Conversation
  readonly shared: SharedWithCaller
  readonly shadow: ReturnType<typeof makeCallerShadow>
}

/** Tells the caller how the sub-agent ended, once its end is in the log. */
async function tellEnd({ conversation, turn, result, shared, shadow }: WorkUnderWay): Promise<void> {
  try {
    const { status } = await result
    const isEnded = (await ConversationHandle.endOf(conversation, turn.id)) !== undefined
    const isLate = (await turn.settled).status !== status
    if (isEnded) await shared.end({ decisions: shadow.steering.decisions, isLate })
  } finally {
    shared.stop()
    releaseShadow(shadow)
  }
}

const taskOf = (store: Store | undefined, { message, taskKey }: JoinedCaller) =>
  taskKey === undefined ? message : keptTask(store, taskKey)

/** Ends the turn of a sub-agent whose caller has ended without it: a process was lost before the interrupt had come to it. */
export async function interruptForCaller(work: Omit<CallerWork, 'tell' | 'by'>, reason: string): Promise<void> {
  const called = calledLevels(work.agent, work.caller)
  if (!called) return
  const { sub, levels } = called
  const line = new CallerLine(async () => undefined, '')
  line.end()
  const shared = new SharedWithCaller(line, { waited: false, height: levels.length })
  const requests = new RelayedRequests(line, () => {})
  const joined = { message: '', depth: levels.length - 1, deepest: Infinity, waited: false, levels: [] }
  const shadow = makeCallerShadow({ levels, joined, shared, requests })
  await interruptLeft(sub, shadow, work.conversationId, reason)
  releaseShadow(shadow)
}
