import type { Turn } from 'turnbuckle'
import type { LaterTexts } from './later-texts.ts'

/** What the person wrote, and the texts for the model that went with it. */
export interface Said {
  readonly text: string
  readonly later: readonly string[]
}

/**
 * What is said to the running turn. The turn hears it together with the texts for the model that waited; the person takes back
 * only what they wrote, and those texts wait again.
 */
export class Interjections {
  readonly #later: LaterTexts
  /** By what the turn was told. */
  readonly #said = new Map<string, Said>()

  constructor(later: LaterTexts) {
    this.#later = later
  }

  /** False where the turn has ended just now. */
  say(turn: Pick<Turn, 'interject'> | undefined, text: string): boolean {
    const later = this.#later.all
    const told = [text, ...later].join('\n\n')
    try {
      turn?.interject(told)
    } catch {
      return false
    }
    this.#said.set(told, { text, later })
    this.#later.clear()
    return true
  }

  /** The last one that the turn has not heard, as it was written. */
  takeBack(turn: Pick<Turn, 'takeBack'> | undefined): string | undefined {
    const told = turn?.takeBack()
    if (told === undefined) return undefined
    const { text, later } = this.#said.get(told) ?? { text: told, later: [] }
    this.#said.delete(told)
    this.#later.giveBack(later)
    return text
  }

  /** All that the turn has not heard, as it was written, in order. */
  takeBackAll(turn: Pick<Turn, 'takeBack'> | undefined): readonly string[] {
    const all: string[] = []
    for (let last = this.takeBack(turn); last !== undefined; last = this.takeBack(turn)) all.unshift(last)
    return all
  }

  /** All that was said to a turn that could not begin. */
  takeAll(): readonly Said[] {
    const all = [...this.#said.values()]
    this.#said.clear()
    return all
  }

  /** For a turn that has just begun. */
  clear(): void {
    this.#said.clear()
  }
}
