/** The value below which the share `p` (0 to 1) of the values lies. */
export function percentile(values, p) {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))]
}

export const median = values => percentile(values, 0.5)

/** Calls `sample` for `ms` milliseconds, at least `least` and at most `most` times, and gives back what it returned. */
export async function sampleFor(ms, sample, { least = 3, most = 100_000 } = {}) {
  const samples = []
  const end = performance.now() + ms
  while (samples.length < most && (samples.length < least || performance.now() < end)) samples.push(await sample())
  return samples
}

const BATCH_MS = 20

/** Milliseconds per run, over so many runs that the garbage they make is collected within the time. */
export async function timedBatch(work) {
  const start = performance.now()
  let runs = 0
  do {
    await work()
    runs++
  } while (performance.now() - start < BATCH_MS)
  return (performance.now() - start) / runs
}

/** Milliseconds that `work` took. */
export async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}
