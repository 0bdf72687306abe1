import type { Context } from '../core/hooks/hook-types.ts'
import type { Turn } from '../core/types/turn.ts'
import type { HookScene } from './hook-runner.ts'

/** The state of hooks in heads. */
export interface HeadState {
  /** Skills and commands that were invoked: the hooks in their heads run. Absent in conversations of before. */
  readonly active?: readonly string[]
  /** Of these hooks, those for one run that have had it. */
  readonly spent?: readonly string[]
}

/** The scenes of turns that are worked on. Sub-agents work in the scene of the turns above them, whose state says what is active. */
export class HookScenes<State extends HeadState> {
  readonly #contexts = new Map<string, Context<State>>()

  /** Knows the turn's state during the work on it: in a process that goes on with it too, where its before hooks do not run again. */
  async during<Result>(ctx: Context<State>, work: () => Promise<Result>): Promise<Result> {
    this.#contexts.set(ctx.turn.id, ctx)
    try {
      return await work()
    } finally {
      this.#contexts.delete(ctx.turn.id)
    }
  }

  /** `own`: the turn's context, where a hook of it asks. */
  of(turn: Turn, own?: Context<State>): HookScene {
    const contexts = this.#upFrom(turn, own)
    const active = contexts.flatMap(({ state }) => state.active ?? [])
    const agent = turn.parent && (own ?? this.#contexts.get(turn.id))?.agent.name
    const spent = contexts.at(-1)?.state.spent ?? []
    return agent === undefined ? { active, spent } : { active, spent, agent }
  }

  /** Notes handlers for one run that have had it, for the topmost turn and all sub-agents in it. */
  spend(names: readonly string[], turn: Turn, own?: Context<State>): void {
    if (!names.length) return
    const top = this.#upFrom(turn, own).at(-1)
    top?.update(state => ({ ...state, spent: [...(state.spent ?? []), ...names] }))
  }

  #upFrom(turn: Turn, own: Context<State> | undefined): readonly Context<State>[] {
    const found = own ?? this.#contexts.get(turn.id)
    return [...(found ? [found] : []), ...(turn.parent ? this.#upFrom(turn.parent, undefined) : [])]
  }
}
