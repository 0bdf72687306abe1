import type { Model } from '../core/base/ports.ts'
import type { Use } from '../core/hooks/middleware.ts'
import type { Tool } from '../core/types/tool.ts'
import { type CreateAgentOptions, createAgent } from '../create-agent.ts'
import { agentTool } from '../tools/agent-tool.ts'
import type { ClaudeFolders } from './claude-folders.ts'
import { agentPrefix } from './claude-tools.ts'
import { type ClaudeAgentFile, readClaudeAgents } from './read-claude-agents.ts'

/** What the sub-agents are made with. */
export interface ClaudeAgentsOptions extends ClaudeFolders {
  /** Their model. */
  readonly model: Model
  /** The tools they choose from. */
  readonly tools: readonly Tool[]
  /** Their middleware. Guards of the caller hold in them anyway. */
  readonly use?: readonly Use[]
  /** The store that keeps their conversations. */
  readonly store?: CreateAgentOptions['store']
  /** Sub-agents that were read already. */
  readonly agents?: readonly ClaudeAgentFile[]
}

/**
 * A tool for each sub-agent of `.claude/agents`: `agent_reviewer` for the one named `reviewer`.
 *
 * ```ts
 * const tools = workspaceTools({ root: '.' })
 * createAgent({ model, tools: [...tools, ...claudeAgents({ root: '.', model, tools })] })
 * ```
 */
export function claudeAgents(options: ClaudeAgentsOptions): readonly Tool[] {
  const { model, tools, use, store, agents = readClaudeAgents(options) } = options
  return agents.map(({ name, description, instructions, tools: named, disallowedTools, maxSteps }) => {
    const own = tools.filter(tool => (named?.includes(tool.name) ?? true) && !disallowedTools.includes(tool.name))
    const agent = createAgent({
      name,
      model,
      instructions,
      tools: own,
      ...(use ? { use } : {}),
      ...(store ? { store } : {}),
    })
    return agentTool(agent, { name: `${agentPrefix}${name}`, description, ...(maxSteps ? { maxSteps } : {}) })
  })
}
