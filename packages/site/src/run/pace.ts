import type { Chunk, Model } from 'turnbuckle'

/** Holds a turn back until the page has shown all that was told of it, so that pausing the page pauses the turn. */
export class Pace {
  #told = 0
  #shown = 0
  #waiting: (() => void)[] = []

  /** Counts a thing that the page was told. */
  count(): void {
    this.#told++
  }
  /** The page has shown so many of the things told. */
  show(count: number): void {
    this.#shown = Math.max(this.#shown, count)
    if (this.#shown < this.#told) return
    for (const go of this.#waiting.splice(0)) go()
  }
  /** Resolves when the page is up to date. */
  async caughtUp(): Promise<void> {
    if (this.#shown >= this.#told) return
    await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}

/** A model that says one word at a time, each when the page has shown the one before. A signal that aborts ends the wait. */
export function pacedModel(model: Model, pace: Pace): Model {
  return {
    ...model,
    async *stream(prompt, options) {
      const isAborted = aborted(options.signal)
      for await (const given of model.stream(prompt, options))
        for (const piece of [given].flat().flatMap(inWords)) {
          await Promise.race([pace.caughtUp(), isAborted])
          yield piece
        }
    },
  }
}

/** Short texts stay whole: where a script cuts a word in two, that is its point. */
function inWords(chunk: Chunk): readonly Chunk[] {
  if (chunk.type !== 'text' || chunk.text.length < 15) return [chunk]
  return (chunk.text.match(/\S+\s*|\s+/g) ?? []).map(text => ({ type: 'text', text }))
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
