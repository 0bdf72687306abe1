import type { Decision, NotedDirective } from '../hooks/directives.ts'
import type { TurnEnding } from './turn-ending.ts'

/** The directives that hooks have given in this step, every decision of the turn, and how the turn ends. */
export class TurnSteering {
  readonly #noted: NotedDirective[] = []
  readonly #decisions: Decision[] = []
  #ending: TurnEnding | undefined
  #jumps = 0

  /** Directives for the resolver, in the order they were given. */
  get noted(): NotedDirective[] {
    return this.#noted
  }
  clearNoted(): void {
    if (this.#noted.length) this.#noted.length = 0
  }

  /** Every directive with its author, for `explain()`. */
  get decisions(): readonly Decision[] {
    return this.#decisions
  }
  list(...decisions: readonly Decision[]): void {
    this.#decisions.push(...decisions)
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
