import type { Turn } from '../core/types/turn.ts'

/**
 * A guard's notes on a stream. Not in its state, which is one for a turn and all sub-agents below it: those speak side
 * by side, and what one says must not be taken for another's. A resumed turn begins its stream anew.
 */
export class PerTurn<Value> {
  readonly #first: Value
  readonly #values = new WeakMap<Turn, Value>()

  constructor(first: Value) {
    this.#first = first
  }

  of(turn: Turn): Value {
    return this.#values.get(turn) ?? this.#first
  }
  set(turn: Turn, value: Value): void {
    this.#values.set(turn, value)
  }
  reset(turn: Turn): void {
    this.#values.delete(turn)
  }
}
