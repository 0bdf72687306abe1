/** Collects what comes and hands it over once a frame, so that fast streams paint no more often than the screen does. */
export function frames<Item>(flush: (items: readonly Item[]) => void): { add(item: Item): void; stop(): void } {
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
      // A tab in the background gets no frames, and must not pile up.
      timer ??= document.hidden ? window.setTimeout(run, 200) : requestAnimationFrame(run)
    },
    stop() {
      if (timer !== undefined) cancelAnimationFrame(timer)
      items = []
    },
  }
}
