import type { Call } from '../base/message.ts'
import type { Chunk } from '../base/ports.ts'
import type { TurnState } from '../types/turn-state.ts'

/**
 * Gives the calls of one attempt their ids as they come in, before a hook sees them: an id that the provider has used before is
 * another one from there on, so that hooks know a call by one id from its first chunk to its result.
 */
export class CallNames {
  readonly #turn: TurnState
  readonly #calls: Call[] = []
  /** Ids of calls that are being written, by those that the provider gave them. */
  readonly #written = new Map<string, string>()
  /** Ids of calls that have no result in the stream yet, by those that the provider gave them; the first is answered first. */
  readonly #open = new Map<string, string[]>()

  constructor(turn: TurnState) {
    this.#turn = turn
  }

  name(chunk: Chunk): Chunk {
    switch (chunk.type) {
      case 'calling':
        return withId(chunk, this.#write(chunk))
      case 'call':
        return withId(chunk, this.#begin(chunk))
      case 'result':
        return withId(chunk, this.#open.get(chunk.id)?.shift() ?? chunk.id)
      default:
        return chunk
    }
  }

  #write({ id: given, name }: { readonly id: string; readonly name: string }): string {
    const id = this.#written.get(given) ?? this.#add(given, name)
    this.#written.set(given, id)
    return id
  }

  #begin({ id: given, name }: { readonly id: string; readonly name: string }): string {
    const id = this.#written.get(given) ?? this.#add(given, name)
    this.#written.delete(given)
    const open = this.#open.get(given)
    if (open) open.push(id)
    else this.#open.set(given, [id])
    return id
  }

  #add(given: string, name: string): string {
    const { ids, calls } = this.#turn
    const id = ids.call(given, this.#calls)
    if (given && id !== given) calls.rename(id, given)
    this.#calls.push({ type: 'call', id, name, args: undefined })
    return id
  }
}

const withId = <Named extends { readonly id: string }>(chunk: Named, id: string): Named =>
  id === chunk.id ? chunk : { ...chunk, id }
