import type { Tool } from '../../core/types/tool.ts'
import type { SubAgent } from '../sub-agent-turn.ts'

const subAgents = new WeakMap<Tool, SubAgent>()

/** Remembers the sub-agent behind a tool, for a process that works on it for another. */
export function noteSubAgent(tool: Tool, subAgent: SubAgent): Tool {
  subAgents.set(tool, subAgent)
  return tool
}

export const subAgentOf = (tool: Tool | undefined): SubAgent | undefined => tool && subAgents.get(tool)
