import { kindOf, messageOf } from '../core/base/errors.ts'
import { block, replace, stop } from '../core/directives/directives.ts'
import type { PermissionAnswer } from '../core/events/request.ts'
import type { AfterContext, BeforeContext } from '../core/hooks/hook-types.ts'
import type { Turn } from '../core/types/turn.ts'
import type { ApprovalQuestion } from '../middleware/approval/approval-question.ts'
import { canonical } from '../middleware/canonical.ts'
import { askKey } from './ask-if-told.ts'
import { asClaudeCall, asClaudeResponse, exitCodeOf, ourArguments, ourResult } from './claude-tools.ts'
import { topmost } from './hook-session.ts'
import { activate, type HookState, tell } from './hook-state.ts'
import type { SessionHooks } from './session-hooks.ts'

/** Claude's events around calls of tools, and its answers to questions about them. */
export class ToolEvents {
  readonly #hooks: SessionHooks
  /** By call: the arguments that the user's own hooks have allowed. */
  readonly #allowed = new Map<string, string>()

  constructor(hooks: SessionHooks) {
    this.#hooks = hooks
  }

  /** PreToolUse. */
  async beforeTool(ctx: BeforeContext<'tool', HookState>) {
    const { call } = ctx
    // Claude's hooks hear of calls that can run.
    if (!ctx.tool || !this.#hooks.runner.has('PreToolUse')) return
    const claude = asClaudeCall(call.name, call.args, this.#hooks.root)
    const fields = { tool_name: claude.tool, tool_input: claude.input, tool_use_id: call.id }
    const { all, users } = await this.#hooks.run(
      ctx,
      'PreToolUse',
      { matched: claude.tool, call: claude },
      fields,
      call.id,
    )
    if (all.stop !== undefined) return stop(all.stop)
    const { decision, reason } = all.permission ?? {}
    if (all.block !== undefined || decision === 'deny') return block(all.block ?? reason ?? 'A hook said no.')
    const given = all.updatedInput
    if (given) ctx.call = { ...call, args: ourArguments(call.name, given, this.#hooks.root) }
    if (decision === 'ask') ctx.shared.set(askKey(call.id), reason ?? 'A hook wants a person to decide.')
    else if (users.permission?.decision === 'allow')
      this.#allowed.set(
        `${ctx.turn.id} ${call.id}`,
        canonical(users.updatedInput ? ourArguments(call.name, users.updatedInput, this.#hooks.root) : call.args),
      )
    return undefined
  }

  /** PostToolUse or PostToolUseFailure. */
  async afterTool(ctx: AfterContext<'tool', HookState>) {
    const { call, result, tool } = ctx
    this.#allowed.delete(`${ctx.turn.id} ${call.id}`)
    if (!tool || !result || ctx.status === 'skipped' || ctx.status === 'interrupted') return
    const claude = asClaudeCall(call.name, call.args, this.#hooks.root)
    if (claude.tool === 'Skill' && result.status === 'ok') {
      activate(ctx, [`skill ${claude.input.skill}`])
      this.#hooks.keepScene(ctx)
    }
    const occasion = { matched: claude.tool, call: claude }
    const fields = { tool_name: claude.tool, tool_input: claude.input, tool_use_id: call.id }
    const failure = failureOf(ctx)
    if (failure !== undefined) {
      const failed = { ...fields, error: failure, is_interrupt: false }
      const { all } = await this.#hooks.run(ctx, 'PostToolUseFailure', occasion, failed, call.id)
      return all.stop === undefined ? undefined : stop(all.stop)
    }
    if (result.status !== 'ok') return
    const response = asClaudeResponse(call.name, result.value, claude.input)
    const { all } = await this.#hooks.run(ctx, 'PostToolUse', occasion, { ...fields, tool_response: response }, call.id)
    if (all.stop !== undefined) return stop(all.stop)
    if (!all.updatedOutput) return undefined
    const value = ourResult(call.name, all.updatedOutput.value)
    if (value !== undefined) return replace(value)
    tell(ctx, [`PostToolUse: "updatedToolOutput" has not the form of a result of ${claude.tool}, and is left out.`])
    return undefined
  }

  /** PostToolBatch. */
  async afterTools(ctx: AfterContext<'tools', HookState>) {
    const [first] = ctx.calls
    if (!first || ctx.status !== 'done') return
    const calls = ctx.calls.map((call, i) => {
      const { tool, input } = asClaudeCall(call.name, call.args, this.#hooks.root)
      return { tool_name: tool, tool_input: input, tool_use_id: call.id, tool_response: ctx.results[i]?.value }
    })
    const { all } = await this.#hooks.run(ctx, 'PostToolBatch', {}, { tool_calls: calls }, first.id)
    const reason = all.stop ?? all.block
    return reason === undefined ? undefined : stop(reason)
  }

  /** PermissionRequest. */
  async answers(
    { id, name, args }: ApprovalQuestion,
    { turn, isRuled }: { readonly turn: Turn; readonly isRuled: boolean },
  ): Promise<PermissionAnswer | undefined> {
    const yes = { decision: 'allow', scope: 'once', by: 'your hooks' } as const
    if (!isRuled && this.#allowed.get(`${turn.id} ${id}`) === canonical(args)) return yes
    if (!this.#hooks.runner.has('PermissionRequest')) return undefined
    const call = asClaudeCall(name, args, this.#hooks.root)
    const session = this.#hooks.session(turn)
    const input = {
      ...session.fields('PermissionRequest', this.#hooks.mode, turn),
      tool_name: call.tool,
      tool_input: call.input,
    }
    const { all, users, spent } = await this.#hooks.runner.run({
      event: 'PermissionRequest',
      matched: call.tool,
      call,
      input,
      place: this.#hooks.scenes.of(turn),
    })
    this.#hooks.scenes.spend(spent, turn)
    if (all.answer?.behavior === 'deny') {
      if (all.answer.interrupt) topmost(turn).interrupt(all.answer.message)
      return { decision: 'deny', scope: 'once', reason: all.answer.message ?? 'A hook said no.' }
    }
    if (isRuled || users.answer?.behavior !== 'allow') return undefined
    const { updatedInput } = users.answer
    return updatedInput ? { ...yes, args: ourArguments(name, updatedInput, this.#hooks.root) } : yes
  }
}

/** The error of a call that ran and failed; a command that ends with another code than 0 has failed. */
function failureOf({ call, result, error }: AfterContext<'tool', HookState>): string | undefined {
  const code = result?.status === 'ok' ? exitCodeOf(call.name, result.value) : undefined
  if (code !== undefined) return `Exit code ${code}\n${String(result.value).replace(/\n\[exit code [^\]]+\]$/, '')}`
  if (result?.status !== 'error' && result?.status !== 'timeout') return undefined
  // Arguments that do not fit: the tool has not run.
  if (error !== undefined && kindOf(error) === 'validation') return undefined
  return typeof result.value === 'string' ? result.value : messageOf(error ?? result.value)
}
