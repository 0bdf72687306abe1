import { resolve } from 'node:path'
import type { Model } from '../core/base/ports.ts'
import type { Context } from '../core/hooks/hook-types.ts'
import type { Turn } from '../core/types/turn.ts'
import type { ClaudeEvent } from './claude-events.ts'
import type { HookRunner, Occasion, Said } from './hook-runner.ts'
import { HookScenes } from './hook-scenes.ts'
import { HookSession, topmost } from './hook-session.ts'
import { addNotes, type HookState, tell } from './hook-state.ts'
import { runHookAgent } from './run-hook-agent.ts'

interface SessionHooksOptions {
  readonly root?: string
  /** The model that answers hooks of the types `prompt` and `agent`. The agent's own by default. */
  readonly model?: Model
  readonly permissionMode?: () => string
}

/** The hooks of all sessions: a session is a conversation, with the sub-agents in it. */
export class SessionHooks {
  readonly runner: HookRunner
  readonly root: string
  readonly scenes: HookScenes<HookState> = new HookScenes()
  readonly #options: SessionHooksOptions
  readonly #sessions = new Map<string, HookSession>()

  constructor(runner: HookRunner, options: SessionHooksOptions) {
    this.runner = runner
    this.root = resolve(options.root ?? '.')
    this.#options = options
  }

  /** Runs the hooks of an event; tells the person and notes for the model what they have said. `behind`: the place of notes. */
  async run(
    ctx: Context<HookState>,
    event: ClaudeEvent,
    about: Pick<Occasion, 'matched' | 'call'>,
    fields: Readonly<Record<string, unknown>>,
    behind?: string,
  ): Promise<Said> {
    const session = this.session(ctx.turn)
    const nothing = { context: [], notices: [] }
    if (!this.runner.has(event)) return { all: nothing, users: nothing, spent: [] }
    const said = await this.runner.run({
      ...about,
      event,
      input: { ...this.fields(ctx, event), ...fields },
      place: this.scenes.of(ctx.turn, ctx),
      signal: ctx.signal,
      judge: (type, ms) => prompt => this.#judge(ctx, type, prompt, ms),
      onLate: ({ context, notices }) => session.addLate([...context, ...notices]),
    })
    tell(ctx, said.all.notices)
    this.scenes.spend(said.spent, ctx.turn, ctx)
    if (behind !== undefined && said.all.context.length) addNotes(ctx, said.all.context, behind, event)
    return said
  }

  async #judge(ctx: Context<HookState>, type: 'prompt' | 'agent', prompt: string, ms: number): Promise<string> {
    const { model = ctx.agent.model } = this.#options
    if (type === 'agent') return runHookAgent(ctx, prompt, { model, root: this.root, ms })
    return (await ctx.generate(model, prompt)).text
  }

  /** The fields that every event has. */
  fields(ctx: Context<HookState>, event: ClaudeEvent): Readonly<Record<string, unknown>> {
    const { turn } = ctx
    const messages = turn.parent ? undefined : ctx.messages.toArray()
    const sub = turn.parent ? { agent_id: turn.conversationId, agent_type: ctx.agent.name } : {}
    return { ...this.session(turn).fields(event, this.mode, turn, messages), ...sub }
  }

  /** Keeps a turn's scene for `SessionEnd`, which comes after the turns. */
  keepScene({ turn, state: { active = [], spent = [] } }: Context<HookState>): void {
    if (!turn.parent) this.session(turn).scene = { active, spent }
  }

  /** Claude's word for the way calls are decided on. */
  get mode(): string {
    return this.#options.permissionMode?.() ?? 'default'
  }

  session(turn: Turn): HookSession {
    return this.sessionOf(topmost(turn).conversationId)
  }

  sessionOf(id: string): HookSession {
    const session = this.#sessions.get(id) ?? new HookSession(id, this.root)
    this.#sessions.set(id, session)
    return session
  }

  /** Gives the sessions so far, and forgets them. */
  takeSessions(): readonly HookSession[] {
    const sessions = [...this.#sessions.values()]
    this.#sessions.clear()
    return sessions
  }
}
