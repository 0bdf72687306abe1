import { join } from 'node:path'
import { type ClaudeFolders, claudeHome } from './claude-folders.ts'
import { ourToolNames } from './claude-tools.ts'
import { namesIn, readFrontMatter } from './front-matter.ts'
import { headHooks } from './head-hooks.ts'
import type { ClaudeHookSource } from './hook-source.ts'
import { markdownFiles } from './markdown-files.ts'

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
  /** The hooks in its head, which run while it works. */
  readonly hooks?: ClaudeHookSource
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
  markdownFiles(folder, within).flatMap(({ path, text }) => {
    const { fields, hooks, body } = readFrontMatter(text)
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
        ...headHooks(hooks, { of: { kind: 'agent', name }, from, path, within }),
      },
    ]
  })

/** `Bash(git *)` names a tool too: what of it may run is for the guards to say. */
const ourNames = (name: string): readonly string[] => ourToolNames(name.replace(/\(.*$/, '').trim())
