import type { AgentHandle } from '../../core/types/agent-core.ts'
import type { TurnState } from '../../core/types/turn-state.ts'
import { workOf } from './work-here.ts'

/** The call of a turn that a sub-agent works for. */
export interface SubAgentCaller {
  /** The conversation of the turn. */
  readonly conversationId: string
  /** The turn that waits for the sub-agent. */
  readonly turnId: string
  /** The call, as the model has named it. */
  readonly callId: string
  /** The tool that was called. */
  readonly tool: string
  /** The call that the turn itself works for, where it is a sub-agent's. */
  readonly above?: SubAgentCaller | undefined
}

/** A call of a sub-agent, for an engine that has it worked on in another process. All that passes between the two is plain data. */
export interface SubAgentCall {
  /** The sub-agent's own conversation. */
  readonly conversationId: string
  /** The call that it works for. */
  readonly caller: SubAgentCaller
  /** Aborted when the caller is interrupted, or the call's time is up: the sub-agent is to be interrupted too. */
  readonly signal: AbortSignal
  /** Resolves when the caller's turn has ended, is left to its log, or has lost its own caller: nobody waits here any more. */
  readonly left: Promise<void>
  /** Takes what `workForCaller` tells, and gives the answer to it. Rejects with `caller.left` once nobody waits here. */
  hear(message: unknown): Promise<unknown>
}

/** Has sub-agents worked on outside of their caller's process. */
export interface SubAgentRunner {
  /** Resolves when the sub-agent's log has its end, or nobody waits for it any more. Rejects where there can be none. */
  run(call: SubAgentCall): Promise<void>
}

const runners = new WeakMap<AgentHandle, SubAgentRunner>()

/**
 * From now on the sub-agents that turns of this agent call, and those that these call, are worked on by the runner: all on the agent's own
 * store, but for those of a turn with middleware of its own. Others stay in this process, with all that they call. Returns how to stop.
 */
export function runSubAgentsBy(agent: AgentHandle, runner: SubAgentRunner): () => void {
  runners.set(agent, runner)
  return () => {
    if (runners.get(agent) === runner) runners.delete(agent)
  }
}

/**
 * The runner of a turn's sub-agents: of one that nobody has called, or that is worked on here for a caller elsewhere, so that those below can
 * reach it. Middleware of one turn is code, and cannot be had elsewhere.
 */
export function runnerOf(turn: TurnState): SubAgentRunner | undefined {
  const isReached = turn.parent ? workOf(turn) !== undefined : turn.use.length === 0
  return isReached ? runners.get(turn.topmost.agent.handle(0)) : undefined
}
