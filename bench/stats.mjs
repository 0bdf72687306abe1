/** The value below which the share `p` (0 to 1) of the values lies. */
export function percentile(values, p) {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))]
}

export const median = values => percentile(values, 0.5)

/** On a busy machine a process gets a part of the time; this is how much longer it may take then. */
const STRETCH = 10

/**
 * Calls `sample` for `ms` milliseconds of processor time, at least `least` times, and gives back what it returned.
 * Ends also when the clock has gone on ten times as far.
 */
export async function sampleFor(ms, sample, { least = 3 } = {}) {
  const samples = []
  const start = process.cpuUsage()
  const end = performance.now() + ms * STRETCH
  const goesOn = () => processorMs(start) < ms && performance.now() < end
  while (samples.length < least || goesOn()) samples.push(await sample())
  return samples
}

const BATCH_MS = 20

/** Milliseconds of processor time since `start`, with the threads that compile and collect garbage. */
export function processorMs(start) {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/**
 * Milliseconds of processor time per run, over so many runs that the garbage they make is collected within them.
 * Not the clock on the wall: others on the machine would be in it.
 */
export async function batch(work) {
  const end = performance.now() + BATCH_MS
  const start = process.cpuUsage()
  let runs = 0
  do {
    await work()
    runs++
  } while (performance.now() < end)
  return processorMs(start) / runs
}

/** Milliseconds by the clock that `work` took. */
export async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}
