import type { Tool } from '../../core/types/tool.ts'
import type { SubAgent } from '../sub-agent-turn.ts'

/** By their function: an agent keeps a copy of a tool whose arguments it checks. */
const subAgents = new WeakMap<Tool['run'], SubAgent>()

/** Remembers the sub-agent behind a tool, for a process that works on it for another. */
export function noteSubAgent({ run }: Tool, subAgent: SubAgent): void {
  subAgents.set(run, subAgent)
}

export const subAgentOf = (tool: Tool | undefined): SubAgent | undefined => tool && subAgents.get(tool.run)
