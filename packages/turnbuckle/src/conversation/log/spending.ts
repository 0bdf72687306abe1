import type { Usage } from '../../core/base/ports.ts'
import type { Event } from '../../core/events/events.ts'
import { minus, plus } from '../../core/model/usage.ts'
import type { TurnState } from '../../core/turn/turn-state.ts'

const nothing: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }

/** What turns spend that is no message's: models that hooks have asked, attempts that came to nothing, sub-agents. */
export class Spending {
  /** Of its messages, since the turn began or was resumed here. */
  readonly #told = new WeakMap<TurnState, Usage>()

  tell(turn: TurnState, usage: Usage): void {
    this.#told.set(turn, plus(this.#told.get(turn) ?? nothing, usage))
  }

  /** What is left of a turn's usage when its messages have theirs; undefined where nothing is. */
  besides(turn: TurnState, usage: Usage): Usage | undefined {
    const before = (turn.replay.past?.events ?? []).filter(isUsage)
    const rest = minus(usage, before.reduce<Usage>(plus, this.#told.get(turn) ?? nothing))
    return rest.inputTokens || rest.outputTokens || rest.cost ? rest : undefined
  }
}

const isUsage = (event: Event): event is Event & { type: 'usage' } => event.type === 'usage'
