import type { Decision } from '../directives/directives.ts'
import { NotedDirectives } from '../directives/noted-directives.ts'
import type { TurnEnding } from './turn-ending.ts'

/** The directives that hooks have given in this step, every decision of the turn, and how the turn ends. */
export class TurnSteering {
  /** Directives of the step for the resolver. */
  readonly noted: NotedDirectives = new NotedDirectives()
  readonly #decisions: Decision[] = []
  #ending: TurnEnding | undefined
  #jumps = 0

  /** Every directive with its author, for `explain()`. */
  get decisions(): readonly Decision[] {
    return this.#decisions
  }
  list(...decisions: readonly Decision[]): void {
    this.#decisions.push(...decisions)
  }
  /** The directive counts, in place of the one that counted for its stage before. */
  markWon(decision: Decision, before?: Decision): void {
    decision.won = true
    if (before) before.won = false
  }

  get ending(): TurnEnding | undefined {
    return this.#ending
  }
  end(ending: TurnEnding): void {
    this.#ending = ending
  }
  /** The turn goes on after all: a wrap begins it again, or a later failure outranks its end. */
  dropEnding(): void {
    this.#ending = undefined
  }

  /** Jumps so far: `goto`, `rewind` and `again` share one cap per turn. */
  get jumps(): number {
    return this.#jumps
  }
  countJump(): number {
    return ++this.#jumps
  }
  restoreJumps(jumps: number): void {
    this.#jumps = jumps
  }
}
