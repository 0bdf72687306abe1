import type { KnownOutcomes } from './known-outcomes.ts'
import type { Library } from './library.ts'
import type { Places } from './places.ts'
import { sameLine } from './plain.ts'
import type { Program } from './program.ts'
import { runProgram } from './run-program.ts'

/** The point where two versions part: the lines before it, and the first that is not the same. */
export interface Difference {
  readonly program: Program
  readonly common: readonly string[]
  readonly before: string | undefined
  readonly now: string | undefined
  /** All lines of both. */
  readonly lines: { readonly before: readonly string[]; readonly now: readonly string[] }
}

/** Plays programs with two versions of the library. */
export class Comparison {
  readonly #before: Library
  readonly #now: Library
  readonly #places: Places

  constructor(before: Library, now: Library, places: Places) {
    this.#before = before
    this.#now = now
    this.#places = places
  }

  /** Gives the first difference, or undefined. A program `across` versions is begun by the version before in both cases. */
  async differ(program: Program): Promise<Difference | undefined> {
    const now = await this.#playNow(program)
    return firstDifference(program, await this.#play(program, () => this.#before), now)
  }
  /** The same for a program as it was generated: where the outcome before is known, only the new version plays. */
  async differGenerated(
    program: Program,
    known: KnownOutcomes,
  ): Promise<{ readonly now: readonly string[]; readonly difference: Difference | undefined }> {
    const now = await this.#playNow(program)
    if (known.has(program, now)) return { now, difference: undefined }
    const before = await this.#play(program, () => this.#before)
    known.add(program, before)
    return { now, difference: firstDifference(program, before, now) }
  }
  #playNow(program: Program): Promise<string[]> {
    const isBegun = (life: number) => program.kind === 'across' && life === 1
    return this.#play(program, life => (isBegun(life) ? this.#before : this.#now))
  }
  #play(program: Program, cast: (life: number) => Library): Promise<string[]> {
    return runProgram(program, cast, this.#places.for(program))
  }
}

/** The first difference between two outcomes of a program. */
export function firstDifference(
  program: Program,
  before: readonly string[],
  now: readonly string[],
): Difference | undefined {
  const length = Math.max(before.length, now.length)
  for (let i = 0; i < length; i++)
    if (!sameLine(before[i] ?? '', now[i] ?? ''))
      return { program, common: before.slice(0, i), before: before[i], now: now[i], lines: { before, now } }
  return undefined
}
