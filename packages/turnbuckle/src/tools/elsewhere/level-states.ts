import { freezePlain } from '../../core/base/plain-data.ts'
import type { Usage } from '../../core/base/ports.ts'
import { plus } from '../../core/base/usage-sums.ts'
import { middlewareState, putMiddlewareState } from '../../core/hooks/middleware-state.ts'
import type { Middleware } from '../../core/types/middleware.ts'
import type { CallerElsewhere, TurnState } from '../../core/types/turn-state.ts'
import type { LevelNow, StateChange } from './caller-messages.ts'
import type { Attempt, DecidingHooks } from './deciding-hooks.ts'
import { isShared, sharedGuards } from './shared-guards.ts'

/** A change of a guard's state that was made here. */
interface ChangeMade {
  readonly apply: (state: never) => unknown
  readonly attempt: Attempt | undefined
}
interface ChangedState {
  /** The state elsewhere that the changes begin from. */
  base: unknown
  changes: readonly ChangeMade[]
}
/** A change on its way, and the number of changes here that it stands for. */
export interface SentChange {
  readonly change: StateChange
  readonly owner: Middleware
  readonly count: number
}

interface LevelOptions {
  /** True where the topmost turn's log ends with a question. */
  readonly waited: boolean
  readonly hooks: DecidingHooks
  /** Takes changes to where the turn is, and brings its newest states. */
  readonly share: () => Promise<void>
}

/** One turn above a sub-agent that is worked on elsewhere: the states of its guards, which are changed with its consent. */
export class LevelStates implements CallerElsewhere {
  readonly waited: boolean
  readonly #hooks: DecidingHooks
  readonly #share: () => Promise<void>
  readonly #changed = new Map<Middleware, ChangedState>()
  #shadow: TurnState | undefined

  constructor({ waited, hooks, share }: LevelOptions) {
    this.waited = waited
    this.#hooks = hooks
    this.#share = share
  }

  /** The turn that stands for it here. */
  get shadow(): TurnState {
    return this.#shadow as TurnState
  }
  begin(shadow: TurnState): void {
    this.#shadow = shadow
  }
  /** The turn as it was last heard of, without changes that it has not consented to. */
  get now(): LevelNow {
    const { id: turnId, spent } = this.shadow
    const states = sharedGuards(this.shadow).map(owner => [owner.name, this.#baseOf(owner)])
    return { turnId, states: Object.fromEntries(states), usage: spent.usage }
  }
  #baseOf(owner: Middleware): unknown {
    const known = this.#changed.get(owner)
    return known ? known.base : middlewareState(this.shadow, owner)
  }

  async decide(owner: Middleware, hook: () => unknown): Promise<unknown> {
    if (!isShared(owner)) return hook()
    for (;;) {
      await this.#share()
      const attempt: Attempt = { mayRepeat: true, isRefused: false }
      const returned = await this.#hooks.call(attempt, hook)
      while (this.#changed.get(owner)?.changes.length) await this.#share()
      if (!attempt.isRefused) return returned
    }
  }
  changed(owner: Middleware, apply: (state: never) => unknown, before: unknown): void {
    const attempt = this.#hooks.current
    const known = this.#changed.get(owner) ?? { base: before, changes: [] }
    this.#changed.set(owner, { ...known, changes: [...known.changes, { apply, attempt }] })
    // A turn that refuses what it is told is noticed by who waits for it.
    if (!attempt) this.#share().catch(() => {})
  }

  /** The changes that are to be consented to. */
  get pending(): readonly SentChange[] {
    const { id: turnId } = this.shadow
    return [...this.#changed].map(([owner, { base: before, changes }]) => {
      const change = { turnId, name: owner.name, before, value: middlewareState(this.shadow, owner) }
      return { change, owner, count: changes.length }
    })
  }
  settle({ owner, count }: SentChange, isRefused: boolean): void {
    const known = this.#changed.get(owner)
    if (!known) return
    const [first, later] = [known.changes.slice(0, count), known.changes.slice(count)]
    const left = isRefused ? [...first.filter(change => !refuse(change)), ...later] : later
    if (left.length) this.#changed.set(owner, { ...known, changes: left })
    else this.#changed.delete(owner)
  }
  /** `since`: the usage here that it was not told of. */
  take({ states, usage }: LevelNow, since: Usage): void {
    for (const owner of sharedGuards(this.shadow)) if (owner.name in states) this.#put(owner, states[owner.name])
    this.shadow.spent.setUsage(plus(usage, since))
  }
  #put(owner: Middleware, base: unknown): void {
    const known = this.#changed.get(owner)
    if (known) known.base = base
    const changes = known?.changes ?? []
    const state = changes.reduce((value, { apply }) => apply(value as never), base)
    putMiddlewareState(this.shadow, owner, freezePlain(state, `"${owner.name}": state`))
  }
}

/** True for a change whose hook is called again. All others are made once more, on the newest state. */
function refuse({ attempt }: ChangeMade): boolean {
  if (!attempt?.mayRepeat) return false
  attempt.isRefused = true
  return true
}
