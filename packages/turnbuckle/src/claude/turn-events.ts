import { textOf } from '../core/base/message.ts'
import { again, block, stop } from '../core/directives/directives.ts'
import type { Event } from '../core/events/events.ts'
import type { AfterContext, BeforeContext, Context } from '../core/hooks/hook-types.ts'
import { claudeToolName } from './claude-tools.ts'
import { activate, addNotes, type HookState, tell } from './hook-state.ts'
import { withNotes } from './noted-context.ts'
import type { SessionHooks } from './session-hooks.ts'
import { stopFailureOf } from './stop-failure.ts'
import { TranscriptFile } from './transcript-file.ts'

/** Hooks may keep a turn from ending this often; then it ends. */
const mostHeld = 8
/** Milliseconds that the hooks of `SessionEnd` have together, unless one asks for more; and the most. */
const endMs = 1500
const mostEndMs = 60_000

/** Claude's events of turns and of the session they are in. */
export class TurnEvents {
  readonly #hooks: SessionHooks

  constructor(hooks: SessionHooks) {
    this.#hooks = hooks
  }

  /** SessionStart or SubagentStart, then UserPromptSubmit. */
  async beginTurn(ctx: BeforeContext<'turn', HookState>) {
    const { id } = ctx.message
    if (ctx.turn.parent) {
      await this.#hooks.run(ctx, 'SubagentStart', { matched: ctx.agent.name }, {}, id)
      return
    }
    const session = this.#hooks.session(ctx.turn)
    const isNew = session.begin()
    activate(ctx, session.takeCommands())
    const source = ctx.messages.length ? 'resume' : 'startup'
    if (isNew)
      await this.#hooks.run(ctx, 'SessionStart', { matched: source }, { source, model: ctx.agent.model.id }, id)
    const { all } = await this.#hooks.run(ctx, 'UserPromptSubmit', {}, { prompt: textOf(ctx.message) }, id)
    if (all.stop !== undefined) return stop(all.stop)
    // Blocked, the prompt is not recorded.
    return all.block === undefined ? undefined : block(all.block)
  }

  during<Result>(ctx: Context<HookState>, work: () => Promise<Result>): Promise<Result> {
    this.#hooks.keepScene(ctx)
    return this.#hooks.scenes.during(ctx, work)
  }

  note(ctx: BeforeContext<'model', HookState>): void {
    const late = this.#hooks.session(ctx.turn).takeLate()
    const behind = ctx.prompt.messages.at(-1)?.id
    if (late.length && behind !== undefined) addNotes(ctx, late, behind)
    if (ctx.state.notes.length) ctx.prompt.messages = withNotes(ctx.prompt.messages, ctx.state.notes)
  }

  /** Stop and SubagentStop: a block, or a text for the model, is another step. */
  async decide(ctx: AfterContext<'decide', HookState>) {
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
    const { all } = await this.#hooks.run(
      ctx,
      isSub ? 'SubagentStop' : 'Stop',
      isSub ? { matched: ctx.agent.name } : {},
      isSub ? { ...fields, ...this.#ownTranscript(ctx) } : fields,
    )
    if (all.stop !== undefined) return stop(all.stop)
    const wanted = [all.block, ...all.context].filter(text => text !== undefined).join('\n')
    if (!wanted) return
    if (times >= mostHeld) return tell(ctx, [`Stop hooks have kept the turn going ${mostHeld} times. It ends now.`])
    ctx.update(state => ({ ...state, held: { turn: ctx.turn.id, times: times + 1 } }))
    return again(wanted)
  }

  /** The sub-agent's messages, beside the transcript of its caller. */
  #ownTranscript({ turn, messages }: Context<HookState>): Readonly<Record<string, unknown>> {
    if (!this.#hooks.runner.has('SubagentStop')) return {}
    const file = new TranscriptFile(turn.conversationId, this.#hooks.root)
    return { agent_transcript_path: file.write(messages.toArray()) }
  }

  /** StopFailure. */
  async endTurn(ctx: AfterContext<'turn', HookState>): Promise<void> {
    if (ctx.result.status !== 'failed' || ctx.turn.parent) return
    const error = stopFailureOf(ctx.result.error ?? ctx.error)
    await this.#hooks.run(ctx, 'StopFailure', { matched: error.error }, error)
  }

  /** Notification: not waited for, and nothing that it says counts. */
  notify(event: Event, ctx: Context<HookState>): void {
    if (event.type !== 'request.opened' || !this.#hooks.runner.has('Notification')) return
    const type = event.kind === 'permission' ? 'permission_prompt' : 'elicitation_dialog'
    const { name } = (event.payload ?? {}) as { name?: unknown }
    const about = typeof name === 'string' ? `your permission to use ${claudeToolName(name)}` : 'your answer'
    const fields = { message: `Turnbuckle needs ${about}`, notification_type: type }
    const input = { ...this.#hooks.fields(ctx, 'Notification'), ...fields }
    const place = this.#hooks.scenes.of(ctx.turn, ctx)
    const told = this.#hooks.runner.run({ event: 'Notification', matched: type, input, place })
    // A turn that has ended meanwhile keeps nothing more.
    told.then(({ spent }) => this.#hooks.scenes.spend(spent, ctx.turn, ctx)).catch(() => {})
  }

  /** SessionEnd. */
  async endSession(reason = 'other'): Promise<void> {
    // A plugin does not get more time by asking for it.
    const own = this.#hooks.runner.handlers('SessionEnd').filter(({ from }) => from !== 'plugin')
    const longest = Math.max(0, ...own.map(({ handler: { timeout = 0 } }) => timeout * 1000))
    const signal = AbortSignal.timeout(Math.ceil(Math.min(mostEndMs, Math.max(endMs, longest))))
    const sessions = this.#hooks.takeSessions()
    if (!this.#hooks.runner.has('SessionEnd')) return
    await Promise.all(
      sessions.map(session => {
        const input = { ...session.fields('SessionEnd', this.#hooks.mode), reason }
        return this.#hooks.runner.run({ event: 'SessionEnd', matched: reason, input, signal, place: session.scene })
      }),
    )
  }

  sayCommand(conversationId: string, name: string): void {
    this.#hooks.sessionOf(conversationId).addCommand(name)
  }
}
