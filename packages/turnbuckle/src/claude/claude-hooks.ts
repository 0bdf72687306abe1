import { resolve } from 'node:path'
import { kindOf, messageOf } from '../core/base/errors.ts'
import { textOf } from '../core/base/message.ts'
import type { Model } from '../core/base/ports.ts'
import { again, block, replace, stop } from '../core/directives/directives.ts'
import type { Event } from '../core/events/events.ts'
import type { PermissionAnswer } from '../core/events/request.ts'
import type { AfterContext, BeforeContext, Context } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Turn } from '../core/types/turn.ts'
import type { ApprovalQuestion } from '../middleware/approval/approval-question.ts'
import { canonical } from '../middleware/canonical.ts'
import { askIfTold, askKey } from './ask-if-told.ts'
import type { ClaudeEvent } from './claude-events.ts'
import type { ClaudeFolders } from './claude-folders.ts'
import { asClaudeCall, asClaudeResponse, claudeToolName, exitCodeOf, ourArguments, ourResult } from './claude-tools.ts'
import { HookRunner, type Occasion, type Said } from './hook-runner.ts'
import { type HeadState, HookScenes } from './hook-scenes.ts'
import { HookSession, topmost } from './hook-session.ts'
import type { ClaudeHookSource } from './hook-source.ts'
import { type ContextNote, withNotes } from './noted-context.ts'
import { readClaudeHooks } from './read-claude-hooks.ts'
import { runHookAgent } from './run-hook-agent.ts'
import type { CallMcpTool } from './run-hook-tool.ts'
import { stopFailureOf } from './stop-failure.ts'

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

interface Kept extends HeadState {
  readonly notes: readonly ContextNote[]
  /** How often hooks have kept a turn from ending, one after the other. */
  readonly held: { readonly turn: string; readonly times: number }
}

/** Hooks may keep a turn from ending this often; then it ends. */
const mostHeld = 8
/** Milliseconds that the hooks of `SessionEnd` have together, unless one asks for more; and the most. */
const endMs = 1500
const mostEndMs = 60_000

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
  const desk = new Desk(new HookRunner(sources, resolve(options.root ?? '.'), options.callMcpTool), options)
  const hooks = middleware<Kept>({
    name: 'claude-hooks',
    scope: 'branch',
    state: { notes: [], held: { turn: '', times: 0 } },
    beforeTurn: ctx => desk.beginTurn(ctx),
    wrapTurn: (ctx, next) => desk.during(ctx, next),
    beforeModel: ctx => desk.note(ctx),
    beforeTool: ctx => desk.beforeTool(ctx),
    afterTool: ctx => desk.afterTool(ctx),
    afterTools: ctx => desk.afterTools(ctx),
    afterDecide: ctx => desk.decide(ctx),
    afterTurn: ctx => desk.endTurn(ctx),
    onEvent: (event, ctx) => desk.notify(event, ctx),
  })
  // Behind other guards: a person who has said yes to the call is not asked again.
  const ask = middleware({ name: 'claude-hooks.ask', guard: true, priority: 1000, beforeTool: askIfTold })
  return Object.assign([hooks, ask], {
    answers: desk.answers.bind(desk),
    endSession: desk.endSession.bind(desk),
    sayCommand: desk.sayCommand.bind(desk),
    problems: sources.flatMap(({ problems }) => problems),
  })
}

class Desk {
  readonly #runner: HookRunner
  readonly #root: string
  readonly #options: ClaudeHooksOptions
  readonly #sessions = new Map<string, HookSession>()
  readonly #scenes = new HookScenes<Kept>()
  /** By call: the arguments that the user's own hooks have allowed. */
  readonly #allowed = new Map<string, string>()

  constructor(runner: HookRunner, options: ClaudeHooksOptions) {
    this.#runner = runner
    this.#root = resolve(options.root ?? '.')
    this.#options = options
  }

  /** SessionStart or SubagentStart, then UserPromptSubmit. */
  async beginTurn(ctx: BeforeContext<'turn', Kept>) {
    const { id } = ctx.message
    if (ctx.turn.parent) {
      await this.#run(ctx, 'SubagentStart', { matched: ctx.agent.name }, {}, id)
      return
    }
    const session = this.#session(ctx.turn)
    const isNew = session.begin()
    activate(ctx, session.takeCommands())
    const source = ctx.messages.length ? 'resume' : 'startup'
    if (isNew) await this.#run(ctx, 'SessionStart', { matched: source }, { source, model: ctx.agent.model.id }, id)
    const { all } = await this.#run(ctx, 'UserPromptSubmit', {}, { prompt: textOf(ctx.message) }, id)
    if (all.stop !== undefined) return stop(all.stop)
    // Blocked, the prompt is not recorded.
    return all.block === undefined ? undefined : block(all.block)
  }

  during<Result>(ctx: Context<Kept>, work: () => Promise<Result>): Promise<Result> {
    this.#keepScene(ctx)
    return this.#scenes.during(ctx, work)
  }

  note(ctx: BeforeContext<'model', Kept>): void {
    const late = this.#session(ctx.turn).takeLate()
    const behind = ctx.prompt.messages.at(-1)?.id
    if (late.length && behind !== undefined) addNotes(ctx, late, behind)
    if (ctx.state.notes.length) ctx.prompt.messages = withNotes(ctx.prompt.messages, ctx.state.notes)
  }

  async beforeTool(ctx: BeforeContext<'tool', Kept>) {
    const { call } = ctx
    // Claude's hooks hear of calls that can run.
    if (!ctx.tool || !this.#runner.has('PreToolUse')) return
    const claude = asClaudeCall(call.name, call.args, this.#root)
    const fields = { tool_name: claude.tool, tool_input: claude.input, tool_use_id: call.id }
    const { all, users } = await this.#run(ctx, 'PreToolUse', { matched: claude.tool, call: claude }, fields, call.id)
    if (all.stop !== undefined) return stop(all.stop)
    const { decision, reason } = all.permission ?? {}
    if (all.block !== undefined || decision === 'deny') return block(all.block ?? reason ?? 'A hook said no.')
    const given = all.updatedInput
    if (given) ctx.call = { ...call, args: ourArguments(call.name, given, this.#root) }
    if (decision === 'ask') ctx.shared.set(askKey(call.id), reason ?? 'A hook wants a person to decide.')
    else if (users.permission?.decision === 'allow')
      this.#allowed.set(
        `${ctx.turn.id} ${call.id}`,
        canonical(users.updatedInput ? ourArguments(call.name, users.updatedInput, this.#root) : call.args),
      )
    return undefined
  }

  async afterTool(ctx: AfterContext<'tool', Kept>) {
    const { call, result, tool } = ctx
    this.#allowed.delete(`${ctx.turn.id} ${call.id}`)
    if (!tool || !result || ctx.status === 'skipped' || ctx.status === 'interrupted') return
    const claude = asClaudeCall(call.name, call.args, this.#root)
    if (claude.tool === 'Skill' && result.status === 'ok') {
      activate(ctx, [`skill ${claude.input.skill}`])
      this.#keepScene(ctx)
    }
    const occasion = { matched: claude.tool, call: claude }
    const fields = { tool_name: claude.tool, tool_input: claude.input, tool_use_id: call.id }
    const failure = failureOf(ctx)
    if (failure !== undefined) {
      const failed = { ...fields, error: failure, is_interrupt: false }
      const { all } = await this.#run(ctx, 'PostToolUseFailure', occasion, failed, call.id)
      return all.stop === undefined ? undefined : stop(all.stop)
    }
    if (result.status !== 'ok') return
    const response = asClaudeResponse(call.name, result.value, claude.input)
    const { all } = await this.#run(ctx, 'PostToolUse', occasion, { ...fields, tool_response: response }, call.id)
    if (all.stop !== undefined) return stop(all.stop)
    if (!all.updatedOutput) return undefined
    const value = ourResult(call.name, all.updatedOutput.value)
    if (value !== undefined) return replace(value)
    tell(ctx, [`PostToolUse: "updatedToolOutput" has not the form of a result of ${claude.tool}, and is left out.`])
    return undefined
  }

  async afterTools(ctx: AfterContext<'tools', Kept>) {
    const [first] = ctx.calls
    if (!first || ctx.status !== 'done') return
    const calls = ctx.calls.map((call, i) => {
      const { tool, input } = asClaudeCall(call.name, call.args, this.#root)
      return { tool_name: tool, tool_input: input, tool_use_id: call.id, tool_response: ctx.results[i]?.value }
    })
    const { all } = await this.#run(ctx, 'PostToolBatch', {}, { tool_calls: calls }, first.id)
    const reason = all.stop ?? all.block
    return reason === undefined ? undefined : stop(reason)
  }

  /** Stop and SubagentStop: a block, or a text for the model, is another step. */
  async decide(ctx: AfterContext<'decide', Kept>) {
    if (ctx.goesOn || ctx.status !== 'done') return
    const isSub = ctx.turn.parent !== undefined
    const { held } = ctx.state
    const times = held.turn === ctx.turn.id ? held.times : 0
    const fields = {
      stop_hook_active: times > 0,
      last_assistant_message: textOf(ctx.reply),
      background_tasks: [],
      session_crons: [],
    }
    const { all } = await this.#run(
      ctx,
      isSub ? 'SubagentStop' : 'Stop',
      isSub ? { matched: ctx.agent.name } : {},
      fields,
    )
    if (all.stop !== undefined) return stop(all.stop)
    const wanted = [all.block, ...all.context].filter(text => text !== undefined).join('\n')
    if (!wanted) return
    if (times >= mostHeld) return tell(ctx, [`Stop hooks have kept the turn going ${mostHeld} times. It ends now.`])
    ctx.update(state => ({ ...state, held: { turn: ctx.turn.id, times: times + 1 } }))
    return again(wanted)
  }

  async endTurn(ctx: AfterContext<'turn', Kept>): Promise<void> {
    if (ctx.result.status !== 'failed' || ctx.turn.parent) return
    const error = stopFailureOf(ctx.result.error ?? ctx.error)
    await this.#run(ctx, 'StopFailure', { matched: error.error }, error)
  }

  /** Not waited for, and nothing that it says counts. */
  notify(event: Event, ctx: Context<Kept>): void {
    if (event.type !== 'request.opened' || !this.#runner.has('Notification')) return
    const type = event.kind === 'permission' ? 'permission_prompt' : 'elicitation_dialog'
    const { name } = (event.payload ?? {}) as { name?: unknown }
    const about = typeof name === 'string' ? `your permission to use ${claudeToolName(name)}` : 'your answer'
    const fields = { message: `Turnbuckle needs ${about}`, notification_type: type }
    const input = { ...this.#fields(ctx, 'Notification'), ...fields }
    const place = this.#scenes.of(ctx.turn, ctx)
    const told = this.#runner.run({ event: 'Notification', matched: type, input, place })
    // A turn that has ended meanwhile keeps nothing more.
    told.then(({ spent }) => this.#scenes.spend(spent, ctx.turn, ctx)).catch(() => {})
  }

  async answers(
    { id, name, args }: ApprovalQuestion,
    { turn, isRuled }: { readonly turn: Turn; readonly isRuled: boolean },
  ): Promise<PermissionAnswer | undefined> {
    const yes = { decision: 'allow', scope: 'once', by: 'your hooks' } as const
    if (!isRuled && this.#allowed.get(`${turn.id} ${id}`) === canonical(args)) return yes
    if (!this.#runner.has('PermissionRequest')) return undefined
    const call = asClaudeCall(name, args, this.#root)
    const session = this.#session(turn)
    const input = {
      ...session.fields('PermissionRequest', this.#mode(), turn),
      tool_name: call.tool,
      tool_input: call.input,
    }
    const { all, users, spent } = await this.#runner.run({
      event: 'PermissionRequest',
      matched: call.tool,
      call,
      input,
      place: this.#scenes.of(turn),
    })
    this.#scenes.spend(spent, turn)
    if (all.answer?.behavior === 'deny') {
      if (all.answer.interrupt) topmost(turn).interrupt(all.answer.message)
      return { decision: 'deny', scope: 'once', reason: all.answer.message ?? 'A hook said no.' }
    }
    if (isRuled || users.answer?.behavior !== 'allow') return undefined
    const { updatedInput } = users.answer
    return updatedInput ? { ...yes, args: ourArguments(name, updatedInput, this.#root) } : yes
  }

  async endSession(reason = 'other'): Promise<void> {
    // A plugin does not get more time by asking for it.
    const own = this.#runner.handlers('SessionEnd').filter(({ from }) => from !== 'plugin')
    const longest = Math.max(0, ...own.map(({ handler: { timeout = 0 } }) => timeout * 1000))
    const signal = AbortSignal.timeout(Math.ceil(Math.min(mostEndMs, Math.max(endMs, longest))))
    const sessions = [...this.#sessions.values()]
    this.#sessions.clear()
    if (!this.#runner.has('SessionEnd')) return
    await Promise.all(
      sessions.map(session => {
        const input = { ...session.fields('SessionEnd', this.#mode()), reason }
        return this.#runner.run({ event: 'SessionEnd', matched: reason, input, signal, place: session.scene })
      }),
    )
  }

  sayCommand(conversationId: string, name: string): void {
    this.#sessionOf(conversationId).addCommand(name)
  }

  /** Runs the hooks of an event; tells the person and notes for the model what they have said. `behind`: the place of notes. */
  async #run(
    ctx: Context<Kept>,
    event: ClaudeEvent,
    about: Pick<Occasion, 'matched' | 'call'>,
    fields: Readonly<Record<string, unknown>>,
    behind?: string,
  ): Promise<Said> {
    const session = this.#session(ctx.turn)
    const nothing = { context: [], notices: [] }
    if (!this.#runner.has(event)) return { all: nothing, users: nothing, spent: [] }
    const said = await this.#runner.run({
      ...about,
      event,
      input: { ...this.#fields(ctx, event), ...fields },
      place: this.#scenes.of(ctx.turn, ctx),
      signal: ctx.signal,
      judge: (type, ms) => prompt => this.#judge(ctx, type, prompt, ms),
      onLate: ({ context, notices }) => session.addLate([...context, ...notices]),
    })
    tell(ctx, said.all.notices)
    this.#scenes.spend(said.spent, ctx.turn, ctx)
    if (behind !== undefined && said.all.context.length) addNotes(ctx, said.all.context, behind, event)
    return said
  }

  async #judge(ctx: Context<Kept>, type: 'prompt' | 'agent', prompt: string, ms: number): Promise<string> {
    const { model = ctx.agent.model } = this.#options
    if (type === 'agent') return runHookAgent(ctx, prompt, { model, root: this.#root, ms })
    return (await ctx.generate(model, prompt)).text
  }

  #fields(ctx: Context<Kept>, event: ClaudeEvent): Readonly<Record<string, unknown>> {
    const { turn } = ctx
    const messages = turn.parent ? undefined : ctx.messages.toArray()
    const sub = turn.parent ? { agent_id: turn.conversationId, agent_type: ctx.agent.name } : {}
    return { ...this.#session(turn).fields(event, this.#mode(), turn, messages), ...sub }
  }

  /** For `SessionEnd`, which comes after the turns. */
  #keepScene({ turn, state: { active = [], spent = [] } }: Context<Kept>): void {
    if (!turn.parent) this.#session(turn).scene = { active, spent }
  }

  #mode(): string {
    return this.#options.permissionMode?.() ?? 'default'
  }

  #session(turn: Turn): HookSession {
    return this.#sessionOf(topmost(turn).conversationId)
  }

  #sessionOf(id: string): HookSession {
    const session = this.#sessions.get(id) ?? new HookSession(id, this.#root)
    this.#sessions.set(id, session)
    return session
  }
}

/** The error of a call that ran and failed; a command that ends with another code than 0 has failed. */
function failureOf({ call, result, error }: AfterContext<'tool', Kept>): string | undefined {
  const code = result?.status === 'ok' ? exitCodeOf(call.name, result.value) : undefined
  if (code !== undefined) return `Exit code ${code}\n${String(result.value).replace(/\n\[exit code [^\]]+\]$/, '')}`
  if (result?.status !== 'error' && result?.status !== 'timeout') return undefined
  // Arguments that do not fit: the tool has not run.
  if (error !== undefined && kindOf(error) === 'validation') return undefined
  return typeof result.value === 'string' ? result.value : messageOf(error ?? result.value)
}

function tell(ctx: Context<Kept>, notices: readonly string[]): undefined {
  // A turn that has ended tells nothing more.
  if (!ctx.turn.ended) for (const text of notices) ctx.emit({ type: 'claude.notice', text })
}

function activate(ctx: Context<Kept>, names: readonly string[]): void {
  const fresh = names.filter(name => !ctx.state.active?.includes(name))
  if (fresh.length) ctx.update(state => ({ ...state, active: [...(state.active ?? []), ...fresh] }))
}

function addNotes(ctx: Context<Kept>, texts: readonly string[], behind: string, event?: ClaudeEvent): void {
  const notes = texts.map(text => ({ behind, text: event ? `${event} hook: ${text}` : text }))
  ctx.update(state => ({ ...state, notes: [...state.notes, ...notes] }))
}
