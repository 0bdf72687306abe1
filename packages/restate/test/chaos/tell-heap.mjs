/** Tells the process that has started this one how large the heap is after a collection, when asked. */
export const tellHeap = () =>
  process.on('message', () => {
    globalThis.gc()
    process.send({ heap: process.memoryUsage().heapUsed })
  })
