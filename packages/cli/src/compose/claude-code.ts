import type { Tool } from 'turnbuckle'
import type { CallMcpTool, ClaudeCommand, ClaudeHookSource, ClaudeHooks, ScriptFile } from 'turnbuckle/claude'
import type { Skill } from 'turnbuckle/middleware'
import type { ConversationStore } from 'turnbuckle/stores'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { contentHash, type TrustItem } from '../settings/trust-file.ts'
import { type ConfiguredMcpServer, describeServer } from './connect-mcp-servers.ts'
import type { SwitchableModel } from './model/switchable-model.ts'
import { safetyNets } from './own-middleware.ts'
import type { ModeSwitch, permissionModes } from './permissions/permission-mode.ts'

/** A slash command of Claude Code, with the text to say for what follows its name. */
export interface ClaudeFileCommand extends ClaudeCommand {
  fill(rest: string): string
}

/** The files of Claude Code that a project and the user have, read and not run. */
export interface ClaudeFiles {
  readonly sources: readonly ClaudeHookSource[]
  /** Has to be trusted before a project's hooks run; by source. */
  readonly items: ReadonlyMap<ClaudeHookSource, TrustItem>
  readonly servers: readonly ConfiguredMcpServer[]
  readonly skills: readonly Skill[]
  /** Paths of instruction files, beside AGENTS.md. */
  readonly instructions: readonly string[]
  /** Reads its slash commands anew. */
  readonly commands: () => readonly ClaudeFileCommand[]
  readonly notices: readonly string[]
}

/** True where the settings say that Claude Code's files count here. */
const usesClaudeFiles = ({ user, project }: Pick<LoadedSettings, 'user' | 'project'>): boolean =>
  (project.claudeHooks ?? user.claudeHooks) === true

export async function readClaudeFiles(loaded: LoadedSettings): Promise<ClaudeFiles | undefined> {
  if (!usesClaudeFiles(loaded)) return undefined
  const claude = await import('turnbuckle/claude')
  const { claudeInstructionFiles, claudeSkills, hookScripts, readClaudeHooks } = claude
  const { root } = loaded
  const sources = readClaudeHooks({ root })
  const items = sources
    .filter(({ from, handlers }) => (from === 'project' || from === 'local') && handlers.length)
    .map(source => [source, trustItem(source, hookScripts(source.handlers, root))] as const)
  const { servers, notices } = await readClaudeServers(loaded)
  return {
    sources,
    items: new Map(items),
    servers,
    skills: claudeSkills({ root }),
    instructions: claudeInstructionFiles(root),
    commands: () =>
      claude
        .claudeCommands({ root })
        .map(command => ({ ...command, fill: rest => claude.fillClaudeCommand(command, rest) })),
    notices: [...sources.flatMap(({ problems }) => problems), ...notices],
  }
}

/** The hooks of a settings file with the files that they run: a change of one has to be trusted anew. */
function trustItem({ file, handlers }: ClaudeHookSource, scripts: readonly ScriptFile[]): TrustItem {
  const text = [JSON.stringify(handlers, undefined, 2), ...scripts.map(one => `\n── ${one.path}\n${one.text}`)].join(
    '\n',
  )
  return {
    kind: 'hook',
    name: file,
    does: ['hooks of Claude Code', ...whatRuns(scripts)].join('; '),
    hash: contentHash(text),
    text,
  }
}

/** Files that are named in the question of trust. */
const mostNamed = 5

/** The files that a trust covers, and what it cannot cover. */
function whatRuns(scripts: readonly ScriptFile[]): readonly string[] {
  const named = (all: readonly ScriptFile[]) => {
    const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : ''
    return (
      all
        .slice(0, mostNamed)
        .map(({ path }) => path)
        .join(', ') + more
    )
  }
  const computing = scripts.filter(({ computes }) => computes)
  return [
    ...(scripts.length ? [`runs ${named(scripts)}`] : []),
    ...(computing.length
      ? [`files whose names are computed are covered only beside the script, of ${named(computing)}`]
      : []),
    ...(scripts.some(({ beyond }) => beyond) ? ['there are more files than a trust can cover: they do not run'] : []),
  ]
}

/** The hooks that may run. A project's are compared with what was trusted each time before one runs. */
export async function makeClaudeHooks(
  { root, trust }: LoadedSettings,
  { sources, items }: ClaudeFiles,
  trusted: ReadonlySet<TrustItem>,
  { mode, callMcpTool }: { readonly mode: ModeSwitch; readonly callMcpTool: CallMcpTool },
): Promise<ClaudeHooks> {
  const { claudeHooks, hookScripts } = await import('turnbuckle/claude')
  // Trusted anew in another terminal, it runs again.
  const refused = (source: ClaudeHookSource) => () => {
    const scripts = hookScripts(source.handlers, root)
    if (scripts.some(({ beyond }) => beyond)) return 'it runs more files than a trust can cover.'
    return trust.has(root, trustItem(source, scripts))
      ? undefined
      : 'a file that it runs has changed since it was trusted. Look at it, then run: turnbuckle hooks trust'
  }
  const usable = sources.flatMap(source => {
    const item = items.get(source)
    if (!item) return [source]
    return trusted.has(item) ? [{ ...source, refused: refused(source) }] : []
  })
  return claudeHooks({ root, sources: usable, callMcpTool, permissionMode: () => claudeModes[mode.current] })
}

const claudeModes: Readonly<Record<(typeof permissionModes)[number], string>> = {
  ask: 'default',
  'accept edits': 'acceptEdits',
  plan: 'plan',
}

/** The tools of sub-agents in `.claude/agents`. They have the agent's own tools, the hooks, and what each agent of the programs has against a provider that fails. */
export async function claudeAgentTools(
  { root, user, project }: LoadedSettings,
  parts: {
    readonly model: SwitchableModel
    readonly tools: readonly Tool[]
    readonly hooks: ClaudeHooks
    readonly store: ConversationStore
  },
): Promise<readonly Tool[]> {
  const { claudeAgents } = await import('turnbuckle/claude')
  const { model, tools, hooks, store } = parts
  return claudeAgents({ root, model, tools, store, use: [hooks, ...safetyNets({ user, project })] })
}

/** The servers of `.mcp.json`, which are the project's. One whose variables are not set is left out, and named. */
async function readClaudeServers({ root, project }: LoadedSettings) {
  const { claudeMcpServers, fillMcpVariables } = await import('turnbuckle/claude')
  const servers: ConfiguredMcpServer[] = []
  const notices: string[] = []
  try {
    for (const [name, written] of Object.entries(claudeMcpServers(root))) {
      if (project.mcpServers?.[name]) continue
      try {
        const entry = fillMcpVariables(written)
        const does = describeServer(written)
        const text = JSON.stringify(written, undefined, 2)
        const item = {
          kind: 'mcp',
          name: `mcp:${name}`,
          does,
          hash: contentHash(JSON.stringify(written)),
          text,
        } as const
        const inProject = 'command' in entry ? { cwd: root, ...entry } : entry
        servers.push({ name, entry: inProject, from: 'project', does, item })
      } catch (error) {
        notices.push(`The MCP server "${name}" is left out: ${(error as Error).message}`)
      }
    }
  } catch (error) {
    notices.push((error as Error).message)
  }
  return { servers, notices }
}
