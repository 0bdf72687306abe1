import { resolve } from 'node:path'
import type { Model } from '../core/base/ports.ts'
import type { PermissionAnswer } from '../core/events/request.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Turn } from '../core/types/turn.ts'
import type { ApprovalQuestion } from '../middleware/approval/approval-question.ts'
import { askIfTold } from './ask-if-told.ts'
import type { ClaudeFolders } from './claude-folders.ts'
import { HookRunner } from './hook-runner.ts'
import type { ClaudeHookSource } from './hook-source.ts'
import type { HookState } from './hook-state.ts'
import { readClaudeHooks } from './read-claude-hooks.ts'
import type { CallMcpTool } from './run-hook-tool.ts'
import { SessionHooks } from './session-hooks.ts'
import { ToolEvents } from './tool-events.ts'
import { TurnEvents } from './turn-events.ts'

/** The options of `claudeHooks`. */
export interface ClaudeHooksOptions extends ClaudeFolders {
  /** Hooks that were read already; nothing is read from files then. */
  readonly sources?: readonly ClaudeHookSource[]
  /** The model that answers hooks of the types `prompt` and `agent`. The agent's own by default. */
  readonly model?: Model
  /** Calls tools of MCP servers for hooks of the type `mcp_tool`: `mcp.call` of `connectMcp`. */
  readonly callMcpTool?: CallMcpTool
  /** Claude's word for the way calls are decided on: `default`, `plan`, `acceptEdits`. */
  readonly permissionMode?: () => string
}

/** The middleware of `claudeHooks`, for `use`, with what it has besides. */
export interface ClaudeHooks extends ReadonlyArray<Middleware> {
  /** For `approval({ answers })`: an `allow` of the user's own hooks, and the hooks of `PermissionRequest`. */
  answers(
    question: ApprovalQuestion,
    about: { readonly turn: Turn; readonly isRuled: boolean },
  ): Promise<PermissionAnswer | undefined>
  /** Runs the hooks of `SessionEnd` for each conversation that was worked on: as the program closes. */
  endSession(reason?: string): Promise<void>
  /** Tells that the next turn of a conversation is said by a slash command: the hooks in its head run from then on. */
  sayCommand(conversationId: string, name: string): void
  /** Texts about hooks that were read and cannot run here. */
  readonly problems: readonly string[]
}

/**
 * Runs the hooks of Claude Code's settings and plugins at their counterparts here: commands, addresses, tools, prompts and agents get the event, under
 * Claude's names of tools, and answer by exit code or JSON. `updatedInput` comes before the guards. Whoever calls it trusts these hooks: they run
 * commands on this machine. A project's hook can forbid and never allows; the user's own allow where `answers` is given to `approval`.
 *
 * ```ts
 * const hooks = claudeHooks({ root: '.' })
 * createAgent({ model, tools, use: [hooks, approval({ answers: hooks.answers })] })
 * ```
 */
export function claudeHooks(options: ClaudeHooksOptions = {}): ClaudeHooks {
  const sources = options.sources ?? readClaudeHooks(options)
  const runner = new HookRunner(sources, resolve(options.root ?? '.'), options.callMcpTool)
  const running = new SessionHooks(runner, options)
  const turns = new TurnEvents(running)
  const tools = new ToolEvents(running)
  const hooks = middleware<HookState>({
    name: 'claude-hooks',
    description: 'Runs the hooks of Claude Code’s files.',
    scope: 'branch',
    state: { notes: [], held: { turn: '', times: 0 } },
    beforeTurn: ctx => turns.beginTurn(ctx),
    wrapTurn: (ctx, next) => turns.during(ctx, next),
    beforeModel: ctx => turns.note(ctx),
    beforeTool: ctx => tools.beforeTool(ctx),
    afterTool: ctx => tools.afterTool(ctx),
    afterTools: ctx => tools.afterTools(ctx),
    afterDecide: ctx => turns.decide(ctx),
    afterTurn: ctx => turns.endTurn(ctx),
    onEvent: (event, ctx) => turns.notify(event, ctx),
  })
  // Behind other guards: a person who has said yes to the call is not asked again.
  const ask = middleware({
    name: 'claude-hooks.ask',
    description: 'Asks a person about a call where a hook of Claude Code’s files says so.',
    guard: true,
    priority: 1000,
    beforeTool: askIfTold,
  })
  return Object.assign([hooks, ask], {
    answers: tools.answers.bind(tools),
    endSession: turns.endSession.bind(turns),
    sayCommand: turns.sayCommand.bind(turns),
    problems: sources.flatMap(({ problems }) => problems),
  })
}
