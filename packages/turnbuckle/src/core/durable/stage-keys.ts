import type { StageFrame } from '../hooks/stage-frame.ts'

/** Names the occurrences of stages in the log of a turn: the same names whenever the turn is gone through again. */
export class StageKeys {
  readonly #counts = new Map<string, number>()
  readonly #taken = new Set<string>()

  keyOf(frame: StageFrame): string {
    frame.key ??= this.#next(placeOf(frame, frame.parent ? this.keyOf(frame.parent) : frame.turn.id))
    return frame.key
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

/**
 * The key that the first version gave the same occurrence: it opened built-in stages without hooks inside their parent, unless
 * the turn was traced. Only for logs that it left behind.
 */
export function firstVersionKey(frame: StageFrame, keys: StageKeys): string {
  const own = keys.keyOf(frame).slice(frame.parent ? keys.keyOf(frame.parent).length : frame.turn.id.length)
  let parent = frame.parent
  while (parent?.parent && parent.hooks.empty && parent.stage.builtIn) parent = parent.parent
  return (parent ? firstVersionKey(parent, keys) : frame.turn.id) + own
}
