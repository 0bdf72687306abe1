import type { StageFrame } from '../types/stage-frame.ts'

/** Names the occurrences of stages in the log of a turn: the same names whenever the turn is gone through again. */
export class StageKeys {
  readonly #counts = new Map<string, number>()
  readonly #taken = new Set<string>()
  readonly #firstVersionParents: ReadonlySet<string> | undefined

  /**
   * `firstVersionParents`: for a turn that the first version began. It opened built-in stages without hooks inside their parent,
   * so that only these stages are in its keys as parents.
   */
  constructor(firstVersionParents?: ReadonlySet<string>) {
    this.#firstVersionParents = firstVersionParents
  }

  keyOf(frame: StageFrame): string {
    frame.key ??= this.#next(placeOf(frame, this.#above(frame)))
    return frame.key
  }
  /** Keys of the stages that a stage was opened in, the outermost first. */
  around({ parent }: StageFrame): readonly string[] {
    if (!parent) return []
    return this.#isLeftOut(parent) ? this.around(parent) : [...this.around(parent), this.keyOf(parent)]
  }
  #above({ parent, turn }: StageFrame): string {
    if (!parent) return turn.id
    return this.#isLeftOut(parent) ? this.#above(parent) : this.keyOf(parent)
  }
  #isLeftOut({ parent, hooks, stage }: StageFrame): boolean {
    const parents = this.#firstVersionParents
    return parents !== undefined && parent !== undefined && hooks.empty && !parents.has(stage.name)
  }
  #next(place: string): string {
    const count = this.#counts.get(place) ?? 0
    this.#counts.set(place, count + 1)
    const key = `${place}#${count}`
    return this.take(key) ? key : this.#next(place)
  }
  /** Takes the key of an occurrence, each once: false when this process has opened that occurrence already. */
  take(key: string): boolean {
    if (this.#taken.has(key)) return false
    this.#taken.add(key)
    return true
  }
}

/** A stage that runs one call is named after the call: calls that run side by side come in any order. */
const placeOf = ({ stage, call, turn }: StageFrame, above: string): string =>
  stage.takes === 'call' ? `${above}/tool:${call?.id}` : `${above}/s${turn.step.index}.${stage.name}`
