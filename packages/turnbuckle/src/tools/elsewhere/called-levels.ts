import { agentCoreOf } from '../../core/agent/make-agent-handle.ts'
import type { AgentCore, AgentHandle } from '../../core/types/agent-core.ts'
import type { SubAgentRules } from '../sub-agent-limits.ts'
import type { SubAgent } from '../sub-agent-turn.ts'
import type { SubAgentCaller } from './sub-agent-runner.ts'
import { subAgentOf } from './sub-agents.ts'

/** A turn above a sub-agent, and all that it takes to stand for it in another process. */
export interface CalledLevel {
  /** The call that the turn has made. */
  readonly call: SubAgentCaller
  /** The turn's agent. */
  readonly agent: AgentCore
  /** The rules that it was called with itself, where it is a sub-agent's. */
  readonly rules: SubAgentRules | undefined
}

/** A sub-agent, and the turns above it: its caller first, the topmost last. */
export interface CalledLevels {
  readonly sub: SubAgent
  readonly levels: readonly CalledLevel[]
}

/** Finds the sub-agent of a call in this process, from tool to tool below the topmost turn's agent; `undefined` where one of them is not here. */
export function calledLevels(agent: AgentHandle, call: SubAgentCaller): CalledLevels | undefined {
  const above = call.above && calledLevels(agent, call.above)
  if (call.above && !above) return undefined
  const caller = above?.sub.agent ?? agent
  const core = agentCoreOf(caller)
  const sub = subAgentOf(caller.tools.find(({ name }) => name === call.tool))
  if (!core || !sub) return undefined
  return { sub, levels: [{ call, agent: core, rules: above?.sub.rules }, ...(above?.levels ?? [])] }
}
