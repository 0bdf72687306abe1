import { redactedText } from '../core/context/redacted-text.ts'
import type { Context } from '../core/hooks/hook-types.ts'
import type { ClaudeEvent } from './claude-events.ts'
import type { HeadState } from './hook-scenes.ts'
import type { ContextNote } from './noted-context.ts'

/** The state of `claudeHooks` on a branch. */
export interface HookState extends HeadState {
  readonly notes: readonly ContextNote[]
  /** Times that hooks have kept a turn from ending, one after the other. */
  readonly held: { readonly turn: string; readonly times: number }
}

/** Tells the person what hooks had to say. */
export function tell(ctx: Context<HookState>, notices: readonly string[]): undefined {
  // A turn that has ended tells nothing more.
  if (!ctx.turn.ended) for (const text of notices) ctx.emit({ type: 'claude.notice', text: redactedText(ctx, text) })
}

/** Hooks in the heads of these skills and commands run from now on. */
export function activate(ctx: Context<HookState>, names: readonly string[]): void {
  const fresh = names.filter(name => !ctx.state.active?.includes(name))
  if (fresh.length) ctx.update(state => ({ ...state, active: [...(state.active ?? []), ...fresh] }))
}

/** Notes texts for the model, behind a message or call. */
export function addNotes(ctx: Context<HookState>, texts: readonly string[], behind: string, event?: ClaudeEvent): void {
  const notes = texts.map(text => ({ behind, text: event ? `${event} hook: ${text}` : text }))
  ctx.update(state => ({ ...state, notes: [...state.notes, ...notes] }))
}
