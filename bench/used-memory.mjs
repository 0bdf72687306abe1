/** Bytes of heap and buffers, with the garbage that was not yet collected. */
export const used = () => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Resolves when what came before is over and collected. Wants `--expose-gc`. */
export async function whenSettled() {
  for (let i = 0; i < 3; i++) {
    await new Promise(resolve => setImmediate(resolve))
    globalThis.gc()
  }
}
