import type { Call, Part } from '../base/message.ts'
import { freeId } from '../history/free-id.ts'
import type { StageFrame } from '../types/stage-frame.ts'
import type { TurnState } from '../types/turn-state.ts'

/** Ids of what a turn makes. They tell where it was made, so they are the same whenever the turn is gone through again. */
export class TurnIds {
  readonly #turn: TurnState
  /** Put together once: what is joined anew is kept in pieces, for every message. */
  readonly #prefix: string
  /** The last one made here, until it is used: it need not be looked for. Compared by reference. */
  #last: string | undefined
  #repeats = false
  /** Questions so far, by the place they were asked at. */
  #asked: Map<string, number> | undefined

  constructor(turn: TurnState) {
    this.#turn = turn
    this.#prefix = `${turn.id}.`
    this.#last = undefined
  }

  of(end: string): string {
    const name = this.#prefix + end
    this.#last = this.#repeats ? undefined : name
    return name
  }
  /** The turn has gone back: what was named before may be named again, on another branch. */
  repeat(): void {
    this.#repeats = true
  }
  message(): string {
    const { step } = this.#turn
    return this.of(`s${step.index}a${step.nextAttempt()}`)
  }
  result(call: Call): string {
    return this.of(`s${this.#turn.step.index}.${call.id}`)
  }
  /** A provider that uses an id twice would have two results for one call. `among`: what the same reply has so far. */
  call(wanted: string | undefined, among: readonly Part[]): string {
    const { step, conversation } = this.#turn
    const { callIds } = conversation.tree
    const id = wanted || `${this.#prefix}s${step.index}c${among.length}`
    if (!callIds.has(id) && !hasCall(among, id)) return id
    return freeId(id, other => callIds.has(other) || hasCall(among, other))
  }

  /** A question to the person who sees the topmost turn: its name begins with that. */
  request({ call }: StageFrame, by: string): string {
    const { id, parent, topmost, step } = this.#turn
    const turn = parent ? `${topmost.id}.${id}` : id
    const place = `${turn}.s${Math.max(0, step.index)}${call ? `.${call.id}` : ''}.${by}`
    this.#asked ??= new Map()
    const count = this.#asked.get(place) ?? 0
    this.#asked.set(place, count + 1)
    return `${place}.q${count}`
  }

  /** True once for the id that was made last: no message can have it yet, so that the tree need not be searched. */
  isNew(id: string): boolean {
    if (id !== this.#last) return false
    this.#last = undefined
    return true
  }
}

export function hasCall(parts: readonly Part[], id: string): boolean {
  for (const part of parts) if (part.type === 'call' && part.id === id) return true
  return false
}
