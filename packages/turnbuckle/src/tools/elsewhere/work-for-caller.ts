import { agentCoreOf } from '../../core/agent/make-agent-handle.ts'
import { noUsage } from '../../core/base/usage-sums.ts'
import type { Store } from '../../core/durable/log-port.ts'
import { ownEvent } from '../../core/events/news.ts'
import type { AgentHandle } from '../../core/types/agent-core.ts'
import type { Conversation } from '../../core/types/conversation.ts'
import type { Turn } from '../../core/types/turn.ts'
import { beginSubAgent, interruptLeft, type SubAgent } from '../sub-agent-turn.ts'
import { CallerLine, type TellCaller } from './caller-line.ts'
import type { JoinedCaller } from './caller-messages.ts'
import { makeCallerShadow } from './caller-shadow.ts'
import { keptTask } from './long-task.ts'
import { RelayedRequests } from './relayed-requests.ts'
import { SharedWithCaller } from './shared-with-caller.ts'
import type { SubAgentCaller } from './sub-agent-runner.ts'
import { subAgentOf } from './sub-agents.ts'

/** The work of a sub-agent for a call of a turn that another process works on. */
export interface CallerWork {
  /** The caller's agent: the same, with the same tools and guards, as in its own process. */
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
  const agent = agentCoreOf(work.agent)
  const sub = calledSubAgent(work)
  if (!agent || !sub) return { state: 'gone', reason: `There is no sub-agent "${work.caller.tool}" in this process.` }
  const conversation = await sub.agent.open(work.conversationId)
  const end = await conversation.lastEnd()
  if (end && end.turnId !== joined.after && !conversation.unfinished.length) return { state: 'ended' }
  const isResumed = conversation.unfinished.length > 0
  // A turn that goes on has it in its log.
  const message = (await taskOf(agent.store, joined)) ?? (isResumed ? '' : undefined)
  if (message === undefined) return { state: 'gone', reason: 'The task of the sub-agent is no longer in the store.' }
  const shared = new SharedWithCaller(line, joined.waited)
  const requests = new RelayedRequests(line, () => shared.noteAsked())
  const shadow = makeCallerShadow({ agent, caller: work.caller, joined, shared, requests })
  const { turn, result } = beginSubAgent(sub, {
    caller: shadow,
    callId: work.caller.callId,
    conversation: joined.after === undefined ? conversation : conversation.fork(null),
    message,
    // The caller hears of what was used, and the sub-agent of what others have: limits count all.
    beforeStep: () => shared.share(),
    emit: event => shadow.tell(ownEvent(event)),
  })
  shared.follow(turn, isResumed)
  const tellEnd = async () => {
    try {
      const { status } = await result
      const isEnded = (await conversation.lastEnd())?.turnId === turn.id
      const isLate = (await turn.settled).status !== status
      if (isEnded) await shared.end({ decisions: shadow.steering.decisions, isLate })
    } finally {
      shared.stop()
      shadow.release()
    }
  }
  return { conversation, turn, lost: line.lost, hangUp: () => line.hangUp(), done: tellEnd() }
}

const taskOf = (store: Store | undefined, { message, taskKey }: JoinedCaller) =>
  taskKey === undefined ? message : keptTask(store, taskKey)

const calledSubAgent = ({ agent, caller }: Pick<CallerWork, 'agent' | 'caller'>): SubAgent | undefined =>
  subAgentOf(agent.tools.find(({ name }) => name === caller.tool))

/** Ends the turn of a sub-agent whose caller has ended without it: a process was lost before the interrupt had come to it. */
export async function interruptForCaller(work: Omit<CallerWork, 'tell' | 'by'>, reason: string): Promise<void> {
  const [agent, sub] = [agentCoreOf(work.agent), calledSubAgent(work)]
  if (!agent || !sub) return
  const line = new CallerLine(async () => undefined, '')
  line.end()
  const shared = new SharedWithCaller(line, false)
  const requests = new RelayedRequests(line, () => {})
  const joined = { message: '', depth: 0, deepest: agent.maxDepth, waited: false, states: {}, usage: noUsage }
  const shadow = makeCallerShadow({ agent, caller: work.caller, joined, shared, requests })
  await interruptLeft(sub, shadow, work.conversationId, reason)
  shadow.release()
}
