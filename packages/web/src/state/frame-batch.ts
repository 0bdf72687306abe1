export interface FrameBatch<Item> {
  add(item: Item): void
  /** Drops the items that were not handed over yet. */
  stop(): void
}

const hiddenTabMs = 200

/** Hands items over once a frame, so that events of a fast stream paint no more often than the screen does. */
export function createFrameBatch<Item>(flush: (items: readonly Item[]) => void): FrameBatch<Item> {
  let items: Item[] = []
  let timer: number | undefined
  const run = () => {
    timer = undefined
    const batch = items
    items = []
    flush(batch)
  }
  return {
    add(item) {
      items.push(item)
      // A tab in the background gets no frames, and events must not pile up in it.
      timer ??= document.hidden ? window.setTimeout(run, hiddenTabMs) : requestAnimationFrame(run)
    },
    stop() {
      if (timer !== undefined) cancelAnimationFrame(timer)
      items = []
    },
  }
}
