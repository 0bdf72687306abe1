import { Conversation as ConversationHandle } from '../core/agent/conversation.ts'
import { TurnbuckleError } from '../core/base/errors.ts'
import type { NewMessage } from '../core/base/message.ts'
import type { AgentHandle } from '../core/types/agent-core.ts'
import type { Conversation } from '../core/types/conversation.ts'
import type { Turn, TurnResult } from '../core/types/turn.ts'
import type { TurnState } from '../core/types/turn-state.ts'
import { passEventsOn } from './pass-events-on.ts'
import { attemptId, lastAttempt } from './sub-agent-attempts.ts'
import { type SubAgentRules, subAgentLimits, timeLimitOf, type UnderWay } from './sub-agent-limits.ts'

/** A sub-agent, and the rules for its turns. */
export interface SubAgent {
  readonly agent: AgentHandle
  readonly rules: SubAgentRules
}

/** A call that a sub-agent is to work for. */
export interface CalledSubAgent {
  /** The turn that the call belongs to, or the one that stands for it here. */
  readonly caller: TurnState
  readonly callId: string
  readonly conversation: Conversation
  readonly message: string | NewMessage
  /** The sub-agent's turn of an earlier attempt, which the caller knows the end of: this attempt is one of its own, from the beginning of the conversation. */
  readonly after: string | undefined
  /** The sub-agent's turn that a process has left unfinished. */
  readonly left: string | undefined
  readonly signal?: AbortSignal
  /** Awaited before each step. */
  readonly beforeStep?: () => Promise<void>
  readonly emit: (event: StartedSubAgent) => void
}

export interface StartedSubAgent {
  readonly type: 'agent.started'
  readonly callId: string
  readonly agent: string
  readonly agentConversationId: string
  readonly agentTurnId: string
  readonly durable: boolean
}

/** A sub-agent's turn that runs in this process. */
export interface SubAgentTurn {
  readonly turn: Turn
  readonly result: Promise<TurnResult>
}

/**
 * Begins the turn of a sub-agent, or goes on with the one that a process has left. An attempt has one id in every process, so that its log
 * refuses it with `turn.known` where another has begun it since it was read.
 */
export function beginSubAgent({ agent, rules }: SubAgent, called: CalledSubAgent): SubAgentTurn {
  const { caller, callId, message, after, left, signal, beforeStep, emit } = called
  const conversation = after === undefined ? called.conversation : called.conversation.fork(null)
  const underWay: UnderWay = { calls: 0 }
  const use = subAgentLimits(rules, conversation, underWay, beforeStep)
  const named = agent.durable ? { id: left ?? attemptId(conversation.id, after) } : {}
  const how = { ...(signal ? { signal } : {}), ...named, use }
  const passing = passEventsOn(caller, { agent: agent.name, callId, conversation })
  const turn = orElse(passing.stop, () => ConversationHandle.sendFor(caller, conversation, message, how))
  const { id: agentTurnId, conversationId: agentConversationId } = turn
  emit({ type: 'agent.started', callId, agent: agent.name, agentConversationId, agentTurnId, durable: agent.durable })
  passing.begin()
  const deadline = new Deadline(turn, caller, rules.budget?.ms ?? Infinity, underWay)
  const result = turn.settled.then(ended => {
    // One that the store has cut off, or refused, goes on or has ended in another process.
    if (ended.by !== 'store') endsToldOf(caller).add(agentTurnId)
    passing.stop()
    deadline.cancel()
    const author = { name: agent.name, conversationId: agentConversationId, turnId: agentTurnId, callId }
    // A sub-agent's own sub-agents have said where they were.
    caller.steering.list(...turn.explain().map(decision => ({ agent: author, ...decision })))
    return deadline.isOver ? { ...ended, status: 'stopped' as const } : ended
  })
  return { turn, result }
}

/** The codes of turns that are left here, since another process works on them, has ended them, or has begun them since the log was read. */
const withAnother: readonly string[] = ['conversation.locked', 'store.fenced', 'turn.ended', 'turn.known']

/** True where a turn has not ended, but was left here to another process: its log will say how it ends. */
export const isWithAnother = ({ by, error }: TurnResult): boolean =>
  by === 'store' && error instanceof TurnbuckleError && withAnother.includes(error.code)

/**
 * True for a conversation that a turn's call may be worked on in: a new one, or one that was begun for a call of that turn. Logs of the first
 * version do not name the caller; there the caller's log names the sub-agent.
 */
export function isBegunFor(caller: Pick<TurnState, 'id'> & Partial<TurnState>, conversation: Conversation): boolean {
  const { seq, caller: begunFor, id } = ConversationHandle.coreOf(conversation)
  if (begunFor !== undefined || seq === 0) return seq === 0 || begunFor === caller.id
  const events = caller.replay?.past?.events ?? []
  return events.some(event => event.type === 'agent.started' && event.agentConversationId === id)
}

/** True where a turn of the conversation runs in this process. */
export const isAtWorkIn = (conversation: Conversation): boolean =>
  ConversationHandle.coreOf(conversation).running.some(({ over }) => !over)

/** Ends the turn of a sub-agent that a process has left unfinished, and that its caller, which has ended, waits for no more. */
export async function interruptLeft(
  { agent, rules }: SubAgent,
  caller: TurnState,
  conversationId: string,
  reason: string,
): Promise<void> {
  const conversation = await agent.open(conversationId)
  if (!conversation.unfinished.length || !isBegunFor(caller, conversation)) return
  const last = await lastAttempt(caller, conversation)
  if (!last || last.end) return
  const use = subAgentLimits(rules, conversation, { calls: 0 })
  const turn = ConversationHandle.sendFor(caller, conversation, '', { use, id: last.turnId })
  turn.interrupt(reason)
  await turn.settled
}

/** Ends a sub-agent's turn that hangs where no model call or tool can be cut off: in a hook or a stage of its own. Counts the caller's active time. */
class Deadline {
  isOver = false
  cancel: () => void = () => {}

  constructor(turn: Turn, caller: TurnState, ms: number, underWay: UnderWay) {
    if (ms === Infinity) return
    const { time, agent } = caller
    const end = () => {
      this.isOver = true
      turn.interrupt(timeLimitOf(ms))
    }
    const look = () => {
      // Cut off by its own limit, it may still have hooks that clean up.
      if (underWay.calls) this.cancel = time.clock.after(agent.cleanupMs, end)
      else end()
    }
    this.cancel = time.clock.after(ms, look)
  }
}

function orElse<Result>(undo: () => void, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    undo()
    throw error
  }
}

/** The turns of sub-agents whose ends a turn has been told of in this process, by their ids. */
const toldEnds = new WeakMap<TurnState, Set<string>>()
export function endsToldOf(caller: TurnState): Set<string> {
  const known = toldEnds.get(caller) ?? new Set()
  toldEnds.set(caller, known)
  return known
}
