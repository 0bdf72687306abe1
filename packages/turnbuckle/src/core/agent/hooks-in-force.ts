import { type HookSet, hookSetOf } from '../hooks/hook-set.ts'
import type { Middleware } from '../types/middleware.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { RegisteredMiddleware } from './registered-middleware.ts'

/** The hooks of one turn that has more than the agent's own, and the sets that they were put together from. */
interface TurnHooks {
  readonly own: HookSet
  readonly above: HookSet | undefined
  readonly all: HookSet
}

/** The hooks that hold now: for everyone, in one conversation, in one turn. Compiled when the middleware changes, not in a step. */
export class HooksInForce {
  #forAll: HookSet = hookSetOf([])
  /** By conversation id, where a middleware is switched otherwise than for everyone. */
  readonly #inConversations = new Map<string, HookSet>()
  /** True where no conversation has hooks of its own. Asked with every delta. */
  #isOneForAll = true
  #inTurns: WeakMap<TurnState, TurnHooks> | undefined

  get forAll(): HookSet {
    return this.#forAll
  }

  /** `besides`: middleware that is not registered and cannot be switched. */
  compile(registered: RegisteredMiddleware, besides: readonly Middleware[]): void {
    this.#forAll = hookSetOf([...registered.inForce(), ...besides])
    this.#inConversations.clear()
    for (const id of registered.switchedConversations)
      this.#inConversations.set(id, hookSetOf([...registered.inForce(id), ...besides]))
    this.#isOneForAll = this.#inConversations.size === 0
  }

  /** The agent's hooks, those of this turn alone, and the guards of whoever called this sub-agent. A pipeline without hooks keeps the guards. */
  of(turn: TurnState): HookSet {
    const own = this.#isOneForAll ? this.#forAll : this.#ofConversation(turn.conversation.id)
    const all = turn.parent || turn.use.length ? this.#ofTurn(turn, own) : own
    return turn.pipeline.hooks ? all : all.guardsOnly
  }
  #ofConversation(id: string): HookSet {
    return this.#inConversations.get(id) ?? this.#forAll
  }
  #ofTurn(turn: TurnState, own: HookSet): HookSet {
    const above = turn.parent?.hooks
    const known = this.#inTurns?.get(turn)
    if (known?.own === own && known.above === above) return known.all
    const withTurn = turn.use.length ? own.with(turn.use) : own
    const all = above ? withTurn.under(above) : withTurn
    this.#inTurns ??= new WeakMap()
    this.#inTurns.set(turn, { own, above, all })
    return all
  }
}
