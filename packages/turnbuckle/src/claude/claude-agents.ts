import { join } from 'node:path'
import type { Model } from '../core/base/ports.ts'
import type { Use } from '../core/hooks/middleware.ts'
import type { Tool } from '../core/types/tool.ts'
import { type CreateAgentOptions, createAgent } from '../create-agent.ts'
import { agentTool } from '../tools/agent-tool.ts'
import { agentPrefix, ourToolNames } from './claude-tools.ts'
import { namesIn, readFrontMatter } from './front-matter.ts'
import { markdownFiles } from './markdown-files.ts'
import { type ClaudeFolders, claudeHome } from './read-claude-hooks.ts'

/** A sub-agent of Claude Code, as its file describes it. */
export interface ClaudeAgentFile {
  /** The name in its head, not the file's. */
  readonly name: string
  /** When to use it, for the model that calls it. */
  readonly description: string
  /** The text below its head: its instructions. */
  readonly instructions: string
  /** The only tools it has, under our names; all of the caller's when absent. */
  readonly tools?: readonly string[]
  /** Tools it may not have, under our names. */
  readonly disallowedTools: readonly string[]
  /** The most steps of a task: `maxTurns` in its head. */
  readonly maxSteps?: number
  /** Whose file it is. */
  readonly from: 'user' | 'project'
}

/** The sub-agents of `.claude/agents` and of the user; a project's goes before the user's of its name. Files without a name or description are none. */
export function readClaudeAgents({
  root = process.cwd(),
  home = claudeHome(),
}: ClaudeFolders = {}): readonly ClaudeAgentFile[] {
  const own = readAgents(join(root, '.claude', 'agents'), root, 'project')
  const names = new Set(own.map(({ name }) => name))
  const user = home === false ? [] : readAgents(join(home, 'agents'), home, 'user')
  return [...own, ...user.filter(({ name }) => !names.has(name))]
}

const readAgents = (folder: string, within: string, from: ClaudeAgentFile['from']): readonly ClaudeAgentFile[] =>
  markdownFiles(folder, within).flatMap(({ text }) => {
    const { fields, body } = readFrontMatter(text)
    const { name, description, maxTurns } = fields
    if (typeof name !== 'string' || !/^[\w-]+$/.test(name) || typeof description !== 'string') return []
    const tools = namesIn(fields.tools)?.flatMap(ourNames)
    const steps = Number(maxTurns)
    return [
      {
        name,
        description,
        instructions: body,
        ...(tools && !tools.includes('*') ? { tools } : {}),
        disallowedTools: (namesIn(fields.disallowedTools) ?? []).flatMap(ourNames),
        ...(steps > 0 ? { maxSteps: steps } : {}),
        from,
      },
    ]
  })

/** `Bash(git *)` names a tool too: what of it may run is for the guards to say. */
const ourNames = (name: string): readonly string[] => ourToolNames(name.replace(/\(.*$/, '').trim())

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
