/** Wraps tools or hooks so that a row can check that the work was really done, outside of what is timed. */
export function counted(run) {
  const counter = { calls: 0, run: undefined }
  counter.run = (...args) => {
    counter.calls++
    return run(...args)
  }
  return counter
}

/** Runs the work once and throws unless the counter went up by `expected`. */
export async function verify(work, counter, expected, what) {
  const before = counter.calls
  await work()
  const seen = counter.calls - before
  if (seen !== expected) throw new Error(`Expected ${expected} ${what}, saw ${seen}.`)
}
