import type { Call, Part } from './message.ts'
import type { Run } from './run.ts'

/** Ids of what a turn makes. They tell where it was made, so they are the same whenever the turn is gone through again. */
export class Names {
  readonly #run: Run
  /** Put together once: what is joined anew is kept in pieces, for every message. */
  readonly #prefix: string
  /** The last one made here, until it is used: it need not be looked for. Compared by reference. */
  #last: string | undefined
  #repeats = false

  constructor(run: Run) {
    this.#run = run
    this.#prefix = `${run.id}.`
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
    const { step, attempts } = this.#run
    this.#run.attempts++
    return this.of(`s${step}a${attempts}`)
  }
  result(call: Call): string {
    return this.of(`s${this.#run.step}.${call.id}`)
  }
  /** A provider that uses an id twice would have two results for one call. `among`: what the same reply has so far. */
  call(wanted: string | undefined, among: readonly Part[]): string {
    const { id: turn, step, thread } = this.#run
    let id = wanted || `${turn}.s${step}c${among.length}`
    while (thread.tree.callIds.has(id) || hasCall(among, id)) id += "'"
    return id
  }

  /** Whether it was just made here, and so is new. True once. */
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
